import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { operatorPages } from '../scripts/support/operatorsPage.js';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const pages = operatorPages();

it('pages of operators agree with what the operators say', () => {
  const others = [...pages].filter(
    ([name, text]) => readFileSync(`${docs}${name}`, 'utf8') !== text,
  );
  const names = others.map(([name]) => name);
  expect(names, 'make them anew: npx tsx scripts/operatorsPage.ts').toEqual([]);
  expect(readdirSync(`${docs}operators`).length).toBe(pages.size - 1);
});

it('a page has slots with units and defaults, a formula, an example, literature and the source', () => {
  const page = pages.get('operators/morse_force.md')!;
  expect(page).toContain('| `D` | quantity (an energy) | depth |');
  expect(page).toContain('```math\nu(r) = D');
  expect(page).toContain('- morse_force: { D: 1.0');
  expect(page).toContain(
    'P. M. Morse, Phys. Rev. 34, 57 (1929), https://doi.org/10.1103/PhysRev.34.57',
  );
  expect(page).toContain('(../../packages/operators/src/potentials/morse/morse.ts)');
});

it('the contents list every operator once', () => {
  const listed = [...pages.get('operators.md')!.matchAll(/\]\((operators\/\w+\.md)\)/g)];
  expect(listed.map(([, name]) => name).sort()).toEqual([...pages.keys()].slice(1).sort());
});
