import { CorpuscleError } from '@corpuscle/core';
import type { GPU } from 'gpu.js';

/** Where gpu.js computes: on the graphics card, or in software, for tests and for comparison. */
export type WebglMode = 'webgl2' | 'headlessgl' | 'webasm' | 'cpu';

export interface OpenedGpuJs {
  readonly gpu: GPU;
  readonly mode: WebglMode;
}

/**
 * Loads gpu.js and opens a mode. Without one being named only real WebGL will do: gpu.js itself would fall back to software
 * without a word.
 *
 * @throws CorpuscleError BACKEND_UNAVAILABLE when gpu.js is not installed; NO_ADAPTER when there is no WebGL 2.
 */
export async function openGpuJs(mode?: WebglMode): Promise<OpenedGpuJs> {
  const { GPU } = await loadGpuJs();
  const chosen =
    mode ??
    (GPU.isWebGL2Supported ? 'webgl2' : GPU.isHeadlessGLSupported ? 'headlessgl' : undefined);
  if (!chosen) {
    throw new CorpuscleError(
      'NO_ADAPTER',
      'backend webgl was asked for, but there is no WebGL 2 here: run it in a browser, use backend cpu, or set CORPUSCLE_WEBGL_MODE=webasm to run the same kernels in software',
    );
  }
  try {
    return { gpu: new GPU({ mode: chosen }), mode: chosen };
  } catch (error) {
    throw new CorpuscleError(
      'NO_ADAPTER',
      `gpu.js cannot open mode ${chosen} here (${(error as Error).message}): use webgl2 in a browser, webasm or cpu elsewhere`,
      { cause: error },
    );
  }
}

async function loadGpuJs(): Promise<typeof import('gpu.js')> {
  try {
    const loaded = await import('gpu.js');
    // A CommonJS module: its names may stand under `default` only.
    return 'GPU' in loaded ? loaded : (loaded as { default: typeof import('gpu.js') }).default;
  } catch (error) {
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      'backend webgl needs the package gpu.js: install it (npm install gpu.js), or use backend cpu or webgpu',
      { cause: error },
    );
  }
}
