// Runs simulation files on all ranks, each on the software adapter, one after the other, and prints the texts that each has
// written as JSON: cards.mjs FILE...

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { compileWhenUsed } from '@corpuscle/functor';
import { CardsEngine, joinRanks, RanksEngine } from '@corpuscle/mpi';
import { createExecutionContext } from '@corpuscle/patterns';

const { createRegistry } = await compileWhenUsed(() => import('@corpuscle/operators'));
const ranks = await joinRanks();
const writes = ranks.rank === 0;
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-cards-'));
const outputs = [];
for (const [k, file] of process.argv.slice(2).entries()) {
  const simulation = loadSimulation([file], { operators: createRegistry() });
  let host;
  const context = await createExecutionContext({
    backend: 'webgpu',
    threads: 1,
    around(engine) {
      host = new RanksEngine(engine, ranks, () => false);
      return host;
    },
    aroundDevice: (engine) => new CardsEngine(engine, host, ranks),
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
