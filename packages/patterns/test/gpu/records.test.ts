import { describeRecords } from '../shared/recordBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('records', () => {
  describeRecords({ name: 'webgpu', tolerance: 1e-6, mathTolerance: 2e-6, open: gpuContext });
});
