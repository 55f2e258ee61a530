import { describeBlocks } from '../shared/blockBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('blocks', () => {
  describeBlocks({ name: 'webgpu', tolerance: 1e-6, mathTolerance: 2e-6, open: gpuContext });
});
