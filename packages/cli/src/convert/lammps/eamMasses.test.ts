import { expect, it } from 'vitest';
import { massesOf } from './eamMasses.js';

it.each([
  ['one density for each element', 1],
  ['a density for each pair of elements (eam/fs)', 2],
])('masses of a file with %s are those of the lines of its elements', (_, densities) => {
  const table = (numbers: number) => Array.from({ length: numbers }, (__, k) => k / 7).join('\n');
  const element = (mass: number) =>
    [`29 ${mass} 3.6 fcc`, table(6), ...Array.from({ length: densities }, () => table(5))].join(
      '\n',
    );
  const text = `a\nb\nc\n2 M N\n6 0.1 5 0.2 4\n${element(63.5)}\n${element(27)}\n${table(15)}\n`;
  expect([...massesOf(text)]).toEqual([
    ['M', 63.5],
    ['N', 27],
  ]);
});
