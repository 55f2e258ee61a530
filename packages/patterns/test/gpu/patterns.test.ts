import { runs } from '../../../../test/support/runs.js';
import { describePatterns } from '../shared/patternBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('WebGPU', () => {
  describePatterns({
    name: 'webgpu, f32',
    open: gpuContext,
    // A rounding of f32 is 6e-8; functors are a few operations deep, and WGSL allows a division 2.5 ulp.
    tolerance: 1e-6,
    // WGSL's exp, sin, cos and pow are good to about 2^-11 … 2^-21 absolute; on these arguments better than that.
    mathTolerance: 1e-5,
    repeats: runs(4, 20),
  });
});
