import { Domain, defineOperator, loadSimulation, type OperatorDefinition } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';

const load = (text: string, ...own: OperatorDefinition[]) =>
  loadSimulation(
    [
      {
        name: 'in.yaml',
        text: `
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }
${text}`,
      },
    ],
    { operators: createRegistry().add(...own) },
  );
const box = (periodic: string, more = '') => `setup_system:
  - domain: { upper: [9, 9, 9], periodic: [${periodic}] }
  - create_particles: { type: A, count: 20, min_distance: 1 }
${more}`;
const film = box('true, true, false');
const run = 'simulation: molecular_dynamics';
const pressure = 'pressure: 1, tau_pressure: 1';
const placed = (message: RegExp, line: number) =>
  expect.objectContaining({
    message: expect.stringMatching(message),
    location: expect.objectContaining({ file: 'in.yaml', line }),
  });

it.each([
  ['after_drift: [mirror: { faces: [xhi, zlo] }]', /^mirror acts at xhi, and the box is periodic/],
  ['after_drift: [shrink_wrap: { faces: [ylo] }]', /^shrink_wrap acts at ylo, and the box is/],
  [`numerical_scheme: [nose_hoover: { ${pressure} }]`, /^a barostat changes the length along z/],
  [
    `numerical_scheme: [velocity_verlet, berendsen: { ${pressure} }]`,
    /^berendsen changes the length along z/,
  ],
  [
    'numerical_scheme: [bussi: { temperature: 1, tau: 1 }, cell_rescale: { temperature: 1, pressure: 1, tau: 1 }]',
    /^cell_rescale changes the length along z/,
  ],
  ['dump_data: [remove_momentum: { angular: true }]', /^the box is periodic, where a rotation/],
  ['dump_data: [structure_factor: { q_max: 4, file: s.csv }]', /^the box is open along an axis/],
])('a box in which it cannot work is told before a run: %s', (text, message) => {
  expect(() => load(`${film}\n${text}\n${run}`)).toThrow(placed(message, 9));
});

it('a minimization to a pressure in an open box is told too', () => {
  const minimize = '{ minimize: { force_tolerance: 1, pressure: 0 } }';
  expect(() =>
    load(`${film}\nsimulation: [setup_system, ${minimize}, molecular_dynamics]`),
  ).toThrow(placed(/^a minimization to a pressure changes the length along z/, 9));
});

it('a box that suits it, or that only a run knows, is not judged', () => {
  const film = box('true, true, false');
  load(`${film}\nafter_drift: [mirror: { faces: [zlo, zhi] }]\n${run}`);
  load(`${film}\nnumerical_scheme: [nose_hoover: { ${pressure}, axes: xy }]\n${run}`);
  const mirror = `after_drift: [mirror: { faces: [zlo] }]\n${run}`;
  load(
    `${box('true, true, true', '  - change_box: { periodic: [true, true, false] }')}\n${mirror}`,
  );
  const own = { name: 'own', doc: 'x', slots: {}, execute() {} } as const;
  const used = `${box('true, true, true', '  - own')}\n${mirror}`;
  load(used, defineOperator(own));
  expect(() => load(used, defineOperator({ ...own, box: 'kept' }))).toThrow(placed(/^mirror/, 9));
});

it('operators of a user say by checkBox what they need', () => {
  const own = defineOperator({
    name: 'own',
    doc: 'x',
    slots: {},
    box: 'kept',
    checkBox(_, domain) {
      expect(domain).toBeInstanceOf(Domain);
      throw new Error('never');
    },
    execute() {},
  });
  expect(() => load(`${film}\ndump_data: [own]\n${run}`, own)).toThrow(placed(/never/, 9));
});

it('stresses that nothing has left in particles are told before a run, not after its last step', () => {
  const write = (steps = '') =>
    `write_extended_xyz: { file: a.xyz, fields: [pos, stress]${steps} }`;
  const message = /^particles have no stresses to write/;
  expect(() => load(`${film}\nsimulation_epilog: [${write()}]\n${run}`)).toThrow(
    placed(message, 9),
  );
  const late = `dump_data: [{ ${write(', frequency: 2')} }, { particle_stress: { every: 2 } }]`;
  expect(() => load(`${film}\n${late}\n${run}`)).toThrow(placed(message, 9));
});

it('stresses are written in steps in which they are computed', () => {
  const dump = (computed: string, written: string) =>
    load(
      `${film}\ndump_data: [{ particle_stress: { ${computed} } }, { write_extended_xyz: { file: a.xyz, fields: [pos, stress], ${written} } }]\n${run}`,
    );
  const stale = placed(/^write_extended_xyz would write stresses of an earlier step/, 9);
  expect(() => dump('every: 4', 'frequency: 2')).toThrow(stale);
  dump('every: 2', 'frequency: 4');
  dump('frequency: 2', 'every: 2');
  const once = 'first_iteration: [particle_stress]';
  const write = 'write_extended_xyz: { file: a.xyz, fields: [pos, stress] }';
  expect(() => load(`${film}\n${once}\ndump_data: [${write}]\n${run}`)).toThrow(
    placed(/^write_extended_xyz would write stresses/, 10),
  );
  load(
    `${film}\ndump_data: [particle_stress: { every: 5 }]\nsimulation_epilog: [${write}]\n${run}`,
  );
});
