import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './packPackages.js';

/** What the declarations of a package show. */
export interface Declarations {
  /** Lines of the main entry and of the files it takes in. */
  readonly lines: number;
  /** Those that are no comments. */
  readonly code: number;
  /** Names that are declared in an engine's folder of the sources, and in no other. */
  readonly engineNames: readonly string[];
}

const DECLARED =
  /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|function|enum) (\w+)/gm;

/** Measures the built declarations of a package. */
export function measureDeclarations(folder: string): Declarations {
  const text = textOf(join(root, 'packages', folder, 'dist/index.d.ts'));
  const lines = text.split('\n').length - 1;
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').match(/^.*\S.*$/gm)?.length ?? 0;
  const places = declaringFolders(join(root, 'packages', folder, 'src'));
  const engineNames = [...new Set(namesIn(text))].filter((name) => {
    const folders = [...(places.get(name) ?? [])];
    return folders.length > 0 && folders.every((top) => top === 'cpu' || top === 'gpu');
  });
  return { lines, code, engineNames: engineNames.sort() };
}

/** A declaration file, after the files of the package that it imports. */
function textOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  const others = [...text.matchAll(/from '(\.[^']+)\.js'/g)]
    .map((match) => join(dirname(file), `${match[1]}.d.ts`))
    .filter((other) => existsSync(other));
  return others.map((other) => textOf(other, seen)).join('') + text;
}

/** The folders right below the sources that declare each name. */
function declaringFolders(source: string): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    const [top] = name.split(/[\\/]/);
    for (const declared of namesIn(readFileSync(join(source, name), 'utf8')))
      places.set(declared, (places.get(declared) ?? new Set()).add(top!));
  }
  return places;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(DECLARED)].map((match) => match[1]!);
}
