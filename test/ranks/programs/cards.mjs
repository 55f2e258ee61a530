// Runs simulation files on all ranks, each on the software adapter, one after the other, and prints the texts that each has
// written as JSON: cards.mjs FILE...

import { CardsEngine, RanksEngine } from '@corpuscle/mpi';
import { printOutputs } from './printOutputs.mjs';

await printOutputs(({ configuration: { precision = 'f32' } }, ranks) => {
  let host;
  return {
    backend: 'webgpu',
    precision,
    around(engine) {
      host = new RanksEngine(engine, ranks, () => false);
      return host;
    },
    aroundDevice: (engine) => new CardsEngine(engine, host, ranks),
  };
});
