import { isLong, runs } from '../../../../test/support/runs.js';
import { describePairs } from '../shared/pairBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('WebGPU', () => {
  describePairs({
    name: 'webgpu, f64',
    open: (heap) => gpuContext(heap, 'f64'),
    // Forces have 12 powers of r, sums 70 terms.
    tolerance: 2e-13,
    mathTolerance: 5e-13,
    every: runs(14, 7),
    isBrief: !isLong,
  });
  describePairs({
    name: 'webgpu, mixed',
    open: (heap) => gpuContext(heap, 'mixed'),
    // Pairs in single precision, as with f32; differences of positions are exact to a rounding.
    tolerance: 1e-5,
    mathTolerance: 2e-5,
    every: runs(32, 16),
    isBrief: !isLong,
  });
});
