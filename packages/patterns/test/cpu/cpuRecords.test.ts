import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import { describeRecords } from '../shared/recordBodies.js';

for (const lowering of ['simd', 'javascript'] as const) {
  describeRecords({
    name: `cpu ${lowering}`,
    tolerance: 0,
    mathTolerance: 1e-14,
    open: (heap) =>
      createExecutionContext({ backend: 'cpu', threads: 2, lowering, ...(heap ? { heap } : {}) }),
  });
}
