import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What `exports` of a package may be: a file, or files by conditions. */
type Exports = string | { readonly [condition: string]: Exports } | null | undefined;

/**
 * The file that `import 'name'` loads, seen from a folder; nothing is loaded. Undefined where the package is not installed.
 * `import.meta.resolve` sees packages from this file alone.
 */
export function packageEntry(name: string, from: string): string | undefined {
  for (let folder = path.resolve(from); ; folder = path.dirname(folder)) {
    const home = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(home, 'package.json'))) return entryOf(home);
    if (folder === path.dirname(folder)) return undefined;
  }
}

function entryOf(home: string): string | undefined {
  const { exports, main = 'index.js' } = JSON.parse(
    readFileSync(path.join(home, 'package.json'), 'utf8'),
  ) as { readonly exports?: Exports; readonly main?: string };
  const root = typeof exports === 'object' && exports && '.' in exports ? exports['.'] : exports;
  const entry = exports === undefined ? main : fileOf(root);
  return entry === undefined ? undefined : path.join(home, entry);
}

function fileOf(exports: Exports): string | undefined {
  if (typeof exports !== 'object') return exports;
  for (const [condition, inner] of Object.entries(exports ?? {})) {
    const file = ['node', 'import', 'default'].includes(condition) ? fileOf(inner) : undefined;
    if (file !== undefined) return file;
  }
  return undefined;
}
