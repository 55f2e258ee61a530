import { runs } from '../../../../test/support/runs.js';
import { describePairs } from '../shared/pairBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('WebGPU', () => {
  describePairs({
    name: 'webgpu, f32',
    open: gpuContext,
    // Differences of positions carry about 2e-7 of a cell; forces are steep (12 powers of r), sums have 70 terms.
    tolerance: 1e-5,
    // exp and sqrt of WGSL on top of that.
    mathTolerance: 2e-5,
    // Each functor in one of the four boxes; all in all in the long form.
    every: runs(4, 1),
  });
});
