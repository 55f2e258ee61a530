import '@corpuscle/webgl';
import type { SharedHeap } from '@corpuscle/core';
import { createExecutionContext } from '@corpuscle/patterns';
import { describePairs } from '../../patterns/test/shared/pairBodies.js';
import { describePatterns } from '../../patterns/test/shared/patternBodies.js';

// The modes of gpu.js that Node has; real WebGL 2 is tested in browser.test.ts.
for (const mode of ['webasm', 'cpu'] as const) {
  const open = async (heap?: SharedHeap) => {
    process.env.CORPUSCLE_WEBGL_MODE = mode;
    try {
      return await createExecutionContext({ backend: 'webgl', threads: 1, ...(heap && { heap }) });
    } finally {
      delete process.env.CORPUSCLE_WEBGL_MODE;
    }
  };
  // As on WebGPU: f32 rounds by 6e-8, forces are steep, and sums have 70 terms.
  describePairs({ name: `webgl, gpu.js ${mode}`, open, tolerance: 1e-5, mathTolerance: 2e-5 });
  describePatterns({ name: `webgl, gpu.js ${mode}`, open, tolerance: 1e-6, mathTolerance: 1e-5 });
}
