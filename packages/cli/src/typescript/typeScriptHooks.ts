import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What the package tells of a text that it cannot read. */
interface Mistake {
  readonly message: string;
  readonly startLine: number;
  /** From 0. */
  readonly startColumn: number;
}

/** The error with its place, as Node writes it. */
function withPlace(url: string, { message, startLine, startColumn }: Mistake): SyntaxError {
  const stack = `${url}:${startLine}\n\n${' '.repeat(startColumn)}^\nSyntaxError: ${message}`;
  return Object.assign(new SyntaxError(message), { stack });
}

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
    const { code } = await transform(text, { mode: 'strip-only' }).catch((mistake: Mistake) => {
      throw withPlace(url, mistake);
    });
    return { format: 'module', source: code, shortCircuit: true };
  }
};

/** TypeScript names its modules by the files that it makes of them: `./own.js` is `own.ts` where there is no other. */
export const resolve: ResolveHook = async (name, context, nextResolve) => {
  try {
    return await nextResolve(name, context);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    const isTypeScript = /\.m?ts$/.test(context.parentURL ?? '') && /^\..*\.m?js$/.test(name);
    if (!isMissing || !isTypeScript) throw cause;
    try {
      return await nextResolve(name.replace(/js$/, 'ts'), context);
    } catch {
      throw cause;
    }
  }
};
