import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { published } from '../scripts/support/packPackages.js';
import { circles, importsBelow, target } from './support/importGraph.js';

/** Packages, and those that each may import: arrows point down. */
const below: Readonly<Record<string, readonly string[]>> = {
  functor: [],
  core: ['functor'],
  patterns: ['functor', 'core'],
  webgl: ['functor', 'core', 'patterns'],
  mpi: ['functor', 'core', 'patterns'],
  operators: ['functor', 'core', 'patterns'],
  view: ['functor', 'core', 'patterns'],
  cli: ['functor', 'core', 'patterns', 'webgl', 'mpi', 'operators', 'view', 'app'],
  'create-corpuscle': ['cli'],
};

/** Circles that are recursive descent: an expression contains expressions, a statement statements. */
const recursiveDescent = [
  {
    folder: 'packages/functor/src/frontend',
    files: [
      'assignResult',
      'localArrays',
      'translateAssignment',
      'translateCall',
      'translateEffect',
      'translateExpression',
      'translateMember',
      'translateTuple',
    ],
  },
  {
    folder: 'packages/functor/src/lower/wasm',
    files: [
      'inlineHelper',
      'lowerArithmetic',
      'lowerBits',
      'lowerExpression',
      'lowerLoop',
      'lowerStatement',
    ],
  },
];

it('every package has its place in the order', () => {
  expect(published).toEqual(Object.keys(below).sort());
});

describe.each(Object.keys(below))('the sources of %s', (name) => {
  const source = `packages/${name}/src`;
  const imports = importsBelow(source);
  const all = [...imports].flatMap(([file, list]) =>
    list.map(({ specifier }) => ({ file, specifier })),
  );

  it('import only packages below', () => {
    const wrong = all.filter(({ specifier }) => {
      const [, other] = /^@corpuscle\/(\w+)/.exec(specifier) ?? [];
      return other !== undefined && !below[name]!.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  it('stay inside their package with relative imports', () => {
    const wrong = all.filter(
      ({ file, specifier }) =>
        specifier.startsWith('.') && !target(file, specifier).startsWith(`${source}/`),
    );
    expect(wrong).toEqual([]);
  });

  it('never import the index or an entry of their own package', () => {
    const wrong = all.filter(({ file, specifier }) => {
      const path = specifier.startsWith('.') ? target(file, specifier) : '';
      return path === `${source}/index.ts` || dirname(path) === `${source}/entries`;
    });
    expect(wrong).toEqual([]);
  });

  it('import each other in no circles but recursive descent', () => {
    const wrong = circles(imports).filter((circle) => {
      const known = recursiveDescent.some(({ folder, files }) =>
        circle.every((file) => files.some((base) => file === `${folder}/${base}.ts`)),
      );
      return !known;
    });
    expect(wrong).toEqual([]);
  });
});
