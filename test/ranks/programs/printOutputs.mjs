import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { compileWhenUsed } from '@corpuscle/functor';
import { joinRanks } from '@corpuscle/mpi';
import { createExecutionContext } from '@corpuscle/patterns';

/**
 * Runs the simulation files of the command on all ranks, one after the other, and prints the texts that each has written as JSON.
 * `optionsOf` gives the options of a context for a simulation and these ranks.
 */
export async function printOutputs(optionsOf) {
  const operators = await compileWhenUsed(() => import('@corpuscle/operators'));
  const ranks = await joinRanks();
  const writes = ranks.rank === 0;
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-'));
  const outputs = [];
  for (const [k, file] of process.argv.slice(2).entries()) {
    const simulation = loadSimulation([file], { operators: operators.createRegistry() });
    operators.refuseOnRanks(simulation);
    const context = await createExecutionContext({ threads: 1, ...optionsOf(simulation, ranks) });
    const outputDirectory = join(folder, `${k}`);
    await runSimulation(simulation, { context, outputDirectory, writes });
    await context.close();
    if (!writes) continue;
    const texts = readdirSync(outputDirectory).map((name) => [
      name,
      readFileSync(join(outputDirectory, name), 'utf8'),
    ]);
    outputs.push(Object.fromEntries(texts));
  }
  if (writes) console.log(JSON.stringify(outputs));
  rmSync(folder, { recursive: true, force: true });
  ranks.close();
}
