import { isLong } from '../../../../test/support/runs.js';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { Lowering } from '../../src/context/ExecutionContextOptions.js';
import { availableThreads } from '../../src/engine/availableThreads.js';
import { describePatterns } from '../shared/patternBodies.js';

const lowerings: Lowering[] = ['simd', 'scalar', 'javascript'];
const numbers = availableThreads() > 1 ? [1, 2] : [1];

for (const lowering of lowerings) {
  // SIMD has one thread and two.
  for (const threads of isLong || lowering === 'simd' ? numbers : numbers.slice(-1)) {
    describePatterns({
      name: `cpu, ${lowering}, ${threads} thread${threads > 1 ? 's' : ''}`,
      open: (heap) =>
        createExecutionContext({ backend: 'cpu', lowering, threads, ...(heap ? { heap } : {}) }),
      tolerance: 0, // f64 without reassociation
      mathTolerance: lowering === 'javascript' ? 0 : 1e-15, // wasm uses functions of its own, a few ulp
    });
  }
}
