import { register } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Beside this file in the package as it is built. */
const hooks = import.meta.url.includes('/src/typescript/')
  ? '../../dist/typeScriptHooks.js'
  : './typeScriptHooks.js';
const loadsTypeScript = 'typescript' in process.features && Boolean(process.features.typescript);
let areHooked = false;

/** A module of JavaScript, or of TypeScript whose types need no more than to be left out, on every Node. */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  if (!areHooked && (!loadsTypeScript || /\.m?ts$/.test(file))) {
    register(hooks, import.meta.url);
    areHooked = true;
  }
  return await import(pathToFileURL(file).href);
}
