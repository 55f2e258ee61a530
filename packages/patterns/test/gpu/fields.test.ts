import { describeFields } from '../shared/fieldBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('fields', () => {
  describeFields({ name: 'webgpu', tolerance: 1e-6, mathTolerance: 2e-6, open: gpuContext });
});
