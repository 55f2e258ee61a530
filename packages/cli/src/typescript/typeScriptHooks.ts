import { readFile } from 'node:fs/promises';
import type { LoadHook } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Loads TypeScript as Node does from 22.18 on: types become blanks, so that lines and columns stay. */
export const load: LoadHook = async (url, context, nextLoad) => {
  try {
    return await nextLoad(url, context);
  } catch (cause) {
    const isUnknown = (cause as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION';
    if (!isUnknown || !/\.m?ts$/.test(url)) throw cause;
    const text = await readFile(fileURLToPath(url), 'utf8');
    const { transform } = await import('@swc/wasm-typescript').catch((missing: unknown) => {
      const remedy = 'install the package @swc/wasm-typescript, or compile it';
      throw new Error(`this Node cannot load TypeScript by itself: ${remedy}`, { cause: missing });
    });
    const { code } = await transform(text, { mode: 'strip-only' });
    return { format: 'module', source: code, shortCircuit: true };
  }
};
