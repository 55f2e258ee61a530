import { registerEngine } from '@corpuscle/patterns';
import { openGpuJs, type WebglMode } from './gpujs.js';
import { WebglEngine } from './WebglEngine.js';

// Importing the package makes the backend known. Without a mode being named only real WebGL 2 will do.
registerEngine({
  name: 'webgl',
  defaultPrecision: 'f32',
  open: async ({ host }) => new WebglEngine(await openGpuJs(modeAsked()), host),
});

export type { WebglMode } from './gpujs.js';

/** The mode that CORPUSCLE_WEBGL_MODE names. */
function modeAsked(): WebglMode | undefined {
  const asked = typeof process === 'undefined' ? undefined : process.env.CORPUSCLE_WEBGL_MODE;
  return (asked || undefined) as WebglMode | undefined;
}
