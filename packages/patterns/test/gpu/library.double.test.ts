import { describeLibrary, everywhere } from '../shared/libraryBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('WebGPU', () => {
  describeLibrary({
    name: 'webgpu, f64',
    open: () => gpuContext(undefined, 'f64'),
    real: 'ds',
    bounds: {
      atan: everywhere(24),
      atan2: everywhere(24),
      asin: everywhere(24),
      acos: everywhere(24),
      sinh: everywhere(24),
      cosh: everywhere(24),
      erf: everywhere(24),
      erfc: everywhere(48),
    },
  });
});
