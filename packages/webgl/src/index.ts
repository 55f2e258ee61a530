import { registerWebgl, type WebglBackend } from '@corpuscle/patterns';
import { openGpuJs, type WebglMode } from './gpujs.js';
import { WebglEngine } from './WebglEngine.js';

export type { WebglMode } from './gpujs.js';

/**
 * Opens the WebGL backend. Contexts do so by themselves once the package is imported.
 *
 * @param mode default: real WebGL 2, or what CORPUSCLE_WEBGL_MODE names.
 * @throws CorpuscleError BACKEND_UNAVAILABLE when gpu.js is not installed; NO_ADAPTER when there is no WebGL 2.
 * @example
 * import '@corpuscle/webgl';
 * await using ctx = await createExecutionContext({ backend: 'webgl' });
 */
export async function createWebglEngine(mode?: WebglMode): Promise<WebglBackend> {
  return new WebglEngine(await openGpuJs(mode ?? modeAsked()));
}

function modeAsked(): WebglMode | undefined {
  const asked = typeof process === 'undefined' ? undefined : process.env.CORPUSCLE_WEBGL_MODE;
  return (asked || undefined) as WebglMode | undefined;
}

// Importing the package makes the backend known.
registerWebgl(() => createWebglEngine());
