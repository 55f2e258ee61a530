// Runs a simulation on all ranks, and prints what it has written and how well the work is divided as JSON: droplet.mjs FILE

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { compileWhenUsed } from '@corpuscle/functor';
import { joinRanks, RanksEngine } from '@corpuscle/mpi';
import { createExecutionContext } from '@corpuscle/patterns';

const { createRegistry, gridKey } = await compileWhenUsed(() => import('@corpuscle/operators'));
const ranks = await joinRanks();
const writes = ranks.rank === 0;
const outputDirectory = mkdtempSync(join(tmpdir(), 'corpuscle-droplet-'));
const simulation = loadSimulation([process.argv[2]], { operators: createRegistry() });
let engine;
const context = await createExecutionContext({
  backend: 'cpu',
  threads: 1,
  around(below) {
    engine = new RanksEngine(below, ranks, () => false);
    return engine;
  },
});
const { state } = await runSimulation(simulation, { context, outputDirectory, writes });
const imbalance = engine.imbalanceOf(state.get(gridKey));
await context.close();
if (writes) {
  const read = (name) => readFileSync(join(outputDirectory, name), 'utf8');
  console.log(JSON.stringify({ imbalance, table: read('thermo.csv'), frames: read('frames.xyz') }));
}
rmSync(outputDirectory, { recursive: true, force: true });
ranks.close();
