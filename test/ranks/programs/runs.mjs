// Runs simulation files on all ranks, one after the other, and prints the thermo rows of each as JSON: runs.mjs FILE...

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { joinRanks, RanksEngine } from '@corpuscle/mpi';
import { createRegistry, refuseOnRanks } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';

const ranks = await joinRanks();
const writes = ranks.rank === 0;
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-'));
const tables = [];
for (const [k, file] of process.argv.slice(2).entries()) {
  const simulation = loadSimulation([file], { operators: createRegistry() });
  refuseOnRanks(simulation);
  const context = await createExecutionContext({
    backend: 'cpu',
    threads: 1,
    around: (engine) => new RanksEngine(engine, ranks, () => false),
  });
  const outputDirectory = join(folder, `${k}`);
  await runSimulation(simulation, { context, outputDirectory, writes });
  await context.close();
  if (writes) tables.push(readFileSync(join(outputDirectory, 'thermo.csv'), 'utf8'));
}
if (writes) console.log(JSON.stringify(tables));
rmSync(folder, { recursive: true, force: true });
ranks.close();
