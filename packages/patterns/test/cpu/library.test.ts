import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import { describeLibrary, everywhere } from '../shared/libraryBodies.js';

for (const lowering of ['simd', 'scalar', 'javascript'] as const) {
  describeLibrary({
    name: `cpu ${lowering}`,
    open: () => createExecutionContext({ backend: 'cpu', threads: 2, lowering }),
    real: 'f64',
    bounds: {
      atan: everywhere(2),
      atan2: everywhere(2),
      asin: everywhere(2),
      acos: everywhere(2),
      sinh: everywhere(3.5),
      cosh: everywhere(3.5),
      erf: everywhere(2),
      erfc: everywhere(7),
    },
  });
}
