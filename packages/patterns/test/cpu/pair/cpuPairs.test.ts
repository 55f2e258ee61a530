import { isLong, runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { describePairs } from '../../shared/pairBodies.js';

for (const lowering of ['simd', 'scalar', 'javascript'] as const) {
  for (const threads of [1, 2]) {
    for (const precision of ['f64', 'mixed'] as const) {
      if (lowering === 'javascript' && precision === 'mixed') continue; // always f64
      if (!isLong && lowering !== 'simd' && threads === 1) continue; // SIMD has one thread
      const single = precision === 'mixed';
      describePairs({
        name: `cpu, ${lowering}, ${precision}, ${threads} thread${threads > 1 ? 's' : ''}`,
        open: (heap) =>
          createExecutionContext({
            backend: 'cpu',
            lowering,
            threads,
            precision,
            ...(heap ? { heap } : {}),
          }),
        // Sums in another order; single precision: rounding of coordinates below 16 (5e-7) times the stiffness of r⁻¹³.
        tolerance: single ? 2e-5 : 1e-13,
        mathTolerance: single ? 2e-5 : 1e-13,
        // Each functor in two of the four boxes; SIMD has all with two threads, and all have in the long form.
        every: runs(lowering === 'simd' && threads === 2 ? 1 : 2, 1),
      });
    }
  }
}
