import { expect, it } from 'vitest';
import { mistakesOf } from './mistakesOf.js';
import { pageRegistry } from './pageRegistry.js';
import { readPotentials } from './readPotentials.js';

const potential = `// One of mine.
definePairPotential({
  name: 'mine',
  doc: 'Lennard-Jones in other words.',
  coefficients: { depth: { dimension: dimensions.energy, doc: 'depth' } },
  energy: (r, depth) => {
    const s = 1 / r ** 6;
    return 4 * depht * (s * s - s);
  },
});`;

it('a mistake in a typed-in potential is at its place in the text', () => {
  let thrown: unknown;
  try {
    readPotentials(potential);
  } catch (error) {
    thrown = error;
  }
  const [mistake] = mistakesOf(thrown, { simulation: '', potential });
  expect(mistake).toMatchObject({ text: 'potential', line: 8, column: 16, length: 5 });
  expect(mistake!.message).toMatch(/depht/);
  const oneLine = potential.replace(/energy:[\s\S]*?\n {2}}/, 'energy: (r, depth) => depht / r');
  try {
    readPotentials(oneLine);
  } catch (error) {
    thrown = error;
  }
  expect(mistakesOf(thrown, { simulation: '', potential: oneLine })[0]).toMatchObject({
    line: 6,
    column: 25,
    length: 5,
  });
});

it.each([
  ['that ends early', 'definePairPotential({\n', { line: 2, column: 1 }],
  ['with a word too many', 'const a = 1;\nconst b c = 2;', { line: 2, column: 9 }],
  ['of a file', "\nimport { dimensions } from '@corpuscle/core';", { line: 2, column: 1 }],
])('a text %s is told at its place', (_, text, place) => {
  let thrown: unknown;
  try {
    readPotentials(text);
  } catch (error) {
    thrown = error;
  }
  expect(mistakesOf(thrown, { simulation: '', potential: text })).toMatchObject([
    { text: 'potential', ...place, message: expect.stringMatching(/^the potential is no JavaSc/) },
  ]);
});

it.each([
  [
    'what is thrown',
    'const x = undefined;\n  x.y();',
    { line: 2, column: 5, message: /reading 'y'/ },
  ],
  [
    'a coefficient without a dimension',
    `\n\n definePairPotential({ name: 'mine', doc: '', coefficients: { k: {} }, energy: (r, k) => k / r });`,
    { line: 3, column: 2, message: /'k' of the potential 'mine' has no dimension/ },
  ],
  [
    'a name that is taken',
    `definePairPotential({ name: 'morse', doc: '', coefficients: {}, energy: (r) => 1 / r });`,
    { message: /'morse_force' is registered twice/ },
  ],
])('%s is a mistake of the potential', (_, text, { message, ...place }) => {
  let thrown: unknown;
  try {
    pageRegistry(() => {}, text);
  } catch (error) {
    thrown = error;
  }
  expect(mistakesOf(thrown, { simulation: '', potential: text })).toMatchObject([
    { text: 'potential', ...place, message: expect.stringMatching(message) },
  ]);
});
