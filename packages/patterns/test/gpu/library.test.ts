import { describeLibrary, everywhere } from '../shared/libraryBodies.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

describeGpu('WebGPU', () => {
  describeLibrary({
    name: 'webgpu, f32',
    open: gpuContext,
    real: 'f32',
    bounds: {
      atan: everywhere(5),
      atan2: everywhere(5),
      asin: everywhere(5),
      acos: everywhere(5),
      // The device's exp may be off by 3 + 2|x| units, says the specification of WGSL.
      sinh: (x) => 5 + 2 * Math.abs(x),
      cosh: (x) => 5 + 2 * Math.abs(x),
      erf: everywhere(5),
      erfc: (x) => 8 + 2 * x * x,
    },
  });
});
