import { isLong, runs } from '../../../../test/support/runs.js';
import { contained, describeAdaptedPairs } from '../shared/adaptBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

// test/patternMatrix has them on WebGPU for other functors; weights of 0 are exclusions.
const elsewhere = runs(/^(a deformed box|two filters again, after the same one|exclusions)$/, /^$/);
/** Of functors with all options the others are siblings. With them shared_triplets has the kernel of triplets. */
const siblings =
  /^(spring|triplets|deviation) (nothing|scaled weights)|weighted(_triplets)? (nothing|everything)$|^shared_triplets everything/;

describeGpu('WebGPU', () => {
  // Differences of positions carry about 2e-7 of a cell; sums have some twenty terms.
  describeAdaptedPairs(
    { name: 'webgpu, f32', open: gpuContext, tolerance: 2e-5, mathTolerance: 2e-5 },
    (functor, options) =>
      !contained.has(options) &&
      !elsewhere.test(options) &&
      (isLong || !siblings.test(`${functor} ${options}`)),
  );
});
