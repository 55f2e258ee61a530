// Runs simulation files on all ranks, one after the other, and prints the texts that each has written as JSON: runs.mjs FILE...

import { RanksEngine } from '@corpuscle/mpi';
import { printOutputs } from './printOutputs.mjs';

await printOutputs(({ configuration: { deterministic } }, ranks) => ({
  backend: 'cpu',
  deterministic,
  around: (engine) => new RanksEngine(engine, ranks, () => false, deterministic),
}));
