import { isLong } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { contained, describeAdaptedPairs } from '../../shared/adaptBodies.js';

for (const lowering of ['simd', 'scalar', 'javascript'] as const) {
  for (const threads of isLong || lowering === 'simd' ? [1, 2] : [2]) {
    describeAdaptedPairs(
      {
        name: `cpu, ${lowering}, ${threads} thread${threads > 1 ? 's' : ''}`,
        open: () => createExecutionContext({ backend: 'cpu', lowering, threads }),
        // Sums in another order.
        tolerance: 1e-12,
        mathTolerance: 1e-12,
      },
      (_functor, options) =>
        isLong || (lowering === 'simd' && threads === 2) || !contained.has(options),
    );
  }
}

describeAdaptedPairs(
  {
    name: 'cpu, mixed',
    open: () => createExecutionContext({ backend: 'cpu', precision: 'mixed', threads: 2 }),
    tolerance: 2e-5,
    mathTolerance: 2e-5,
  },
  (_functor, options) => isLong || !contained.has(options),
);
