import { runs } from '../../../../test/support/runs.js';
import { describePatterns } from '../shared/patternBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('WebGPU', () => {
  describePatterns({
    name: 'webgpu, f64',
    open: (heap) => gpuContext(heap, 'f64'),
    // A number is stored to 3.6e-15; functors are a few operations deep.
    tolerance: 3e-14,
    mathTolerance: 3e-13,
    repeats: runs(4, 20),
  });
});
