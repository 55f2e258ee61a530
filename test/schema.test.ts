import { readdirSync, readFileSync } from 'node:fs';
import { simulationSchema } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from './support/runCli.js';

const root = new URL('../', import.meta.url);
const registry = createRegistry();
const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
  simulationSchema(registry),
);
const text = (path: string) => readFileSync(new URL(path, root), 'utf8');

const examples = readdirSync(new URL('examples', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [name, text(`examples/${name}`)] as const);

/** Whole documents among the YAML of the pages: those that say what runs. */
const documents = [
  ...examples,
  ...readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...text(`docs/${name}`).matchAll(/```yaml[^\n]*\n([\s\S]*?)```/g)].map(
        ([, yaml], k) => [`${name} ${k}`, yaml!] as const,
      ),
    )
    .filter(([, yaml]) => /^simulation:/m.test(yaml)),
];

describe('the JSON Schema of input files', () => {
  it('has right documents', () => {
    expect(documents.length).toBeGreaterThan(10);
    for (const [name, yaml] of documents)
      expect(validate(parse(yaml)), `${name}: ${JSON.stringify(validate.errors?.[0])}`).toBe(true);
    for (const { text: yaml } of registry.defaults) expect(validate(parse(yaml)), yaml).toBe(true);
  });

  it('is named by every example, for editors', () => {
    const schema = new URL('packages/cli/dist/simulation.schema.json', root).href;
    expect(examples.length).toBeGreaterThan(20);
    for (const [name, yaml] of examples) {
      const named = /^# yaml-language-server: \$schema=(\S+)\n/.exec(yaml)?.[1];
      expect(new URL(named ?? '', new URL(`examples/${name}`, root)).href, name).toBe(schema);
    }
  });

  it.each([
    ['an unknown slot', { compute_force: [{ lennard_jones_force: { rcutt: 2.5 } }] }],
    ['a value of the wrong type', { compute_force: [{ lennard_jones_force: { rcut: [2.5] } }] }],
    ['a number out of bounds', { compute_force: [{ lennard_jones_force: { rcut: -1 } }] }],
    ['an unknown key of a section', { configuration: { unit: 'lj' } }],
    ['an unknown unit system', { configuration: { units: 'metall' } }],
    ['a type without a mass', { particle_types: { A: { charge: 1 } } }],
    ['two operators in one item', { simulation: [{ thermo: {}, lattice: {} }] }],
    ['a default block with an unknown slot', { thermo: { files: 'a.csv' } }],
  ])('refuses %s', (_, document) => {
    expect(validate(document)).toBe(false);
  });

  it('is printed by the command', async () => {
    const { code, out } = await runCli(['schema']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(JSON.parse(JSON.stringify(simulationSchema(registry))));
  });
});
