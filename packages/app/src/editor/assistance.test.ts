import { simulationSchema } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { describe, expect, it } from 'vitest';
import { completionsAt, explain } from './assistance.js';
import { placeAt } from './placeAt.js';

const text = `configuration:
  units: lj
setup_system:
- lattice: { structure: fcc, types: [A], repeat: [10, 10, 10] }
  # a remark
- init_temperature:
    temperature: 1.44
compute_force:
  - lennard_jones_force:
      pairs:
        - { types: [A, A], epsilon: 1 }
`;
const before = (part: string) => placeAt(text, text.indexOf(part));
const schema = simulationSchema(createRegistry());
const labels = (...[path, isValue]: [readonly (string | 0)[], boolean]) =>
  completionsAt(schema, path, isValue).map(({ label }) => label);

describe('the place of a position', () => {
  it('is found by indentation, brackets, and list items that are not indented', () => {
    expect(before('lj')).toMatchObject({ path: ['configuration', 'units'], isValue: true });
    expect(before('attice')).toEqual({ path: ['setup_system', 0], isValue: false, word: 'l' });
    expect(before('types').path).toEqual(['setup_system', 0, 'lattice']);
    expect(before('cc, types').path).toEqual(['setup_system', 0, 'lattice', 'structure']);
    expect(before('1.44').path).toEqual(['setup_system', 0, 'init_temperature', 'temperature']);
    expect(before('epsilon').path).toEqual([
      ...['compute_force', 0, 'lennard_jones_force', 'pairs', 0],
    ]);
    expect(before('compute').path).toEqual([]);
  });
});

describe('completion', () => {
  it('offers sections, operators, slots and values', () => {
    expect(labels([], false)).toEqual(expect.arrayContaining(['configuration', 'setup_system']));
    expect(labels(['setup_system', 0], false)).toContain('init_temperature');
    expect(labels(['setup_system', 0, 'lattice'], false)).toContain('repeat');
    expect(labels(['setup_system', 0, 'lattice', 'structure'], true)).toContain('diamond');
  });
});

describe('what is said of a key', () => {
  it('is the text of the operator or slot, and nothing for values', () => {
    expect(explain(schema, text, text.indexOf('nit_temp'))).toMatch(/velocities/i);
    expect(explain(schema, text, text.indexOf('peat'))).toMatch(/cells/i);
    expect(explain(schema, text, text.indexOf('1.44'))).toBeNull();
  });
});
