import { CorpuscleError } from '@corpuscle/core';

/**
 * Backend webgl lives in a package of its own, which other users need not install.
 * @throws CorpuscleError BACKEND_UNAVAILABLE when it is asked for and is not installed.
 */
export async function loadBackend(backend: string | undefined): Promise<void> {
  if (backend !== 'webgl') return;
  try {
    await import('@corpuscle/webgl');
  } catch (error) {
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      'backend webgl needs the packages @corpuscle/webgl and gpu.js: install them (npm install @corpuscle/webgl gpu.js), or use --backend cpu or webgpu',
      { cause: error },
    );
  }
}
