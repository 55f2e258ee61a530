// Runs simulation files on all ranks, one after the other, and prints the texts that each has written as JSON: runs.mjs FILE...

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { compileWhenUsed } from '@corpuscle/functor';
import { joinRanks, RanksEngine } from '@corpuscle/mpi';
import { createExecutionContext } from '@corpuscle/patterns';

const { createRegistry, refuseOnRanks } = await compileWhenUsed(
  () => import('@corpuscle/operators'),
);
const ranks = await joinRanks();
const writes = ranks.rank === 0;
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-'));
const outputs = [];
for (const [k, file] of process.argv.slice(2).entries()) {
  const simulation = loadSimulation([file], { operators: createRegistry() });
  refuseOnRanks(simulation);
  const { deterministic } = simulation.configuration;
  const context = await createExecutionContext({
    backend: 'cpu',
    threads: 1,
    deterministic,
    around: (engine) => new RanksEngine(engine, ranks, () => false, deterministic),
  });
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
