type Dawn = typeof import('webgpu');

/**
 * Loads Dawn, WebGPU for Node. Its package is an optional dependency, because it is ten times as large as all the rest.
 * @returns the module, or why there is none as one clause, with what to install.
 */
export async function loadDawn(): Promise<Dawn | { readonly reason: string }> {
  try {
    return await import('webgpu');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND' && message.includes("'webgpu'"))
      return { reason: 'the optional package webgpu is not installed (npm install webgpu)' };
    return { reason: `the npm package webgpu could not be loaded (${message.split('\n')[0]})` };
  }
}
