import { isLong, runs } from '../../../../test/support/runs.js';
import { describeAdaptedPairs } from '../shared/adaptBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

const once = runs(
  /^(shared_triplets|weighted_triplets)$/,
  /^(triplets|shared_triplets|deviation|weighted_triplets)$/,
);
// All options together take more buffers than some devices bind; test/patternMatrix has a deformed box.
const some = runs(
  /^(shared_triplets nothing|weighted_triplets scaled weights)$/,
  / (nothing|scaled weights|a deformed box)$/,
);

describeGpu('WebGPU', () => {
  describeAdaptedPairs(
    {
      name: 'webgpu, f64',
      open: (heap) => gpuContext(heap, 'f64'),
      // Triplets of numbers with 48 bits, some twenty operations deep.
      tolerance: 1e-12,
      mathTolerance: 1e-12,
    },
    (functor, options) => once.test(functor) && some.test(`${functor} ${options}`),
  );
  describeAdaptedPairs(
    {
      name: 'webgpu, mixed',
      open: (heap) => gpuContext(heap, 'mixed'),
      // Floats, whose sums are kept in double-single.
      tolerance: 2e-6,
      mathTolerance: 2e-6,
    },
    (functor, options) => isLong && once.test(functor) && options === 'nothing',
  );
});
