import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** One import or re-export of a source file. */
export interface Import {
  /** As written: `./a.js`, `@corpuscle/core`, `node:fs`. */
  readonly specifier: string;
  /** Nothing but types: it is gone at run time. */
  readonly typeOnly: boolean;
}

/** Imports by file (its path from the repository's root) of all TypeScript below a folder but tests. */
export function importsBelow(folder: string): Map<string, Import[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => [
        join(folder, file),
        importsOf(readFileSync(join(root, folder, file), 'utf8')),
      ]),
  );
}

const statement = /^(?:import|export)\s+(type\s)?([^;'"]*?from\s+)?['"]([^'"]+)['"]/gm;
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(text: string): Import[] {
  const fixed = [...text.matchAll(statement)].map(([, type, names = '', specifier]) => ({
    specifier: specifier!,
    typeOnly: type !== undefined || onlyTypes(names),
  }));
  const later = [...text.matchAll(dynamic)].map(([, specifier]) => ({
    specifier: specifier!,
    typeOnly: false,
  }));
  return [...fixed, ...later];
}

/** `{ type A, type B } from` */
function onlyTypes(names: string): boolean {
  const list = /^\{([^}]*)\}/.exec(names)?.[1];
  if (list === undefined) return false;
  const entries = list.split(',').map((entry) => entry.trim());
  return entries.every((entry) => entry === '' || entry.startsWith('type '));
}

/** The file that a relative import means. */
export const target = (file: string, specifier: string): string =>
  relative(root, join(root, dirname(file), specifier)).replace(/\.js$/, '.ts');

/** Sets of files that import each other in circles at run time (Tarjan's strongly connected components). */
export function circles(imports: ReadonlyMap<string, readonly Import[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const { specifier, typeOnly } of imports.get(file) ?? []) {
      const next = target(file, specifier);
      if (typeOnly || !specifier.startsWith('.') || !imports.has(next)) continue;
      if (!order.has(next)) visit(next);
      if (open.includes(next)) {
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
      }
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file)).sort();
    if (circle.length > 1) found.push(circle);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return found;
}
