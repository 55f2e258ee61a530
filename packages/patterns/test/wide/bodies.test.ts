import type { SharedHeap } from '@corpuscle/core';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { Lowering } from '../../src/context/ExecutionContextOptions.js';
import { describeAdaptedPairs } from '../shared/adaptBodies.js';
import { describeAllPairs } from '../shared/allPairBodies.js';
import { describeBlocks } from '../shared/blockBodies.js';
import { describeImages } from '../shared/imageBodies.js';
import { describePairs } from '../shared/pairBodies.js';
import { describePatterns } from '../shared/patternBodies.js';
import { describeRecords } from '../shared/recordBodies.js';
import { highHeap } from '../support/highHeap.js';

// The same as in a heap of 4 GiB: tolerances are those of the tests there.

const machine = { backend: 'cpu', threads: 2 } as const;
const lowerings: Lowering[] = ['simd', 'scalar', 'javascript'];

for (const lowering of lowerings) {
  const backend = (tolerance: number, mathTolerance = tolerance) => ({
    name: `cpu beyond 4 GiB, ${lowering}`,
    tolerance,
    mathTolerance,
    open: (heap: SharedHeap = highHeap()) => createExecutionContext({ ...machine, lowering, heap }),
  });
  describePatterns(backend(0, lowering === 'javascript' ? 0 : 1e-15));
  describeBlocks(backend(0, 1e-14));
  if (lowering !== 'scalar') describeRecords(backend(0, 1e-14));
  describePairs(backend(1e-13));
  describeAdaptedPairs(backend(1e-12));
}

describePairs({
  name: 'cpu beyond 4 GiB, mixed',
  tolerance: 2e-5,
  mathTolerance: 2e-5,
  open: (heap = highHeap()) => createExecutionContext({ ...machine, precision: 'mixed', heap }),
});
describeImages(
  'cpu beyond 4 GiB',
  () => createExecutionContext({ ...machine, heap: highHeap() }),
  1e-11,
);
describeAllPairs({ ...machine, precision: 'f64', tolerance: 1e-13, heap: highHeap });
