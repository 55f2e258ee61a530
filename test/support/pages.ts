import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from './runScripts.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A piece of code of a page. */
export interface Block {
  readonly language: string;
  /** Name of the file, after the language; empty for commands. */
  readonly file: string;
  readonly text: string;
}

/** The code of a page, in its order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const fences = text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, language, file = '', body]) => ({
    language: language!,
    file,
    text: body!,
  }));
}

/** Writes the file of a block, if it is one. @returns whether it is */
export function writeBlock({ file, text }: Block, folder: string): boolean {
  if (file === '') return false;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  return true;
}

/** Pages of patterns that have programs. */
const patternPages = [
  ...['blockParallelFor', 'computeCellParticles', 'reduceCellParticles', 'asynchrony'],
  'preparedCalls',
] as const;

/** Pages that are followed from the first block to the last. */
export const followedPages = [
  ...['write-your-own-operator', 'patterns', 'analyses'],
  ...patternPages.map((page) => `patterns/${page}`),
];

/** Pages whose code is part of a program, which is `support/pageGlobals.d.ts`; and whether Node runs it. */
const parts: [page: string, runs: boolean][] = [
  ...['README', 'coordination', 'ensembles', 'functors', 'graph', 'restart', 'simulations'].map(
    (page): [string, boolean] => [page, true],
  ),
  ['view', false], // it has a canvas
  ['webgl', false],
];

/** A tenth of the steps of a run: nothing is asked of its end. */
const shorter = (text: string): string =>
  text.replaceAll('steps: 1000', 'steps: 100').replaceAll('duration: 5 ', 'duration: 0.5 ');

/** A program around all blocks of code of some pages. */
export function writeParts(folder: string): Script {
  const names: string[] = [];
  mkdirSync(folder);
  for (const [page, isRun] of parts)
    for (const [k, { text }] of blocksOf(page === 'README' ? '../README.md' : `${page}.md`)
      .filter(({ language, file }) => language === 'ts' && file === '')
      .entries()) {
      writeFileSync(join(folder, `${page}-${k}.ts`), shorter(text));
      if (isRun) names.push(`./${page}-${k}.js`);
    }
  const program = `import { createGrid, lattice, lennardJonesForce } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
const ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
const particles = lattice({ structure: 'fcc', density: 0.8442, repeat: [5, 5, 5] });
const grid = createGrid(particles, [{ name: 'A', mass: 1 }], ctx.heap);
const pairs = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 });
Object.assign(globalThis, { ctx, grid, pairs });
${names.map((name) => `await import('${name}');\nconsole.log('${name}');`).join('\n')}
await ctx.close();
`;
  writeFileSync(join(folder, 'run.ts'), program);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return { file: join(folder, 'run.ts'), argument: 'cpu' };
}
