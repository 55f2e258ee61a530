import { expect, it } from 'vitest';
import { circles, importsBelow } from '../../../test/support/importGraph.js';

const imports = importsBelow('packages/functor/src');
const outside = [...imports.values()]
  .flat()
  .map(({ specifier }) => specifier)
  .filter((specifier) => !specifier.startsWith('.'));

it('the language needs nothing but a parser: no Node, no other package of ours', () => {
  expect([...new Set(outside)]).toEqual(['acorn']);
});

it('the only circles are the descents through syntax tree and IR', () => {
  const folders = circles(imports).map((circle) => [
    ...new Set(circle.map((file) => file.replace(/\/[^/]*$/, ''))),
  ]);
  expect(folders).toEqual([['packages/functor/src/frontend'], ['packages/functor/src/lower/wasm']]);
});
