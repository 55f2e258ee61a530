import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../../createRegistry.js';

/** Warnings of walls in a box of 10, or one of other lattice vectors. */
const warningsOf = (walls: string, periodic = 'true, true, true', size = 'upper: [10, 10, 10]') => {
  const text = `
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
  - domain: { ${size}, periodic: [${periodic}] }
  - create_particles: { type: A, count: 20, min_distance: 1 }
after_drift:
${walls}
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }
simulation: molecular_dynamics`;
  return loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() }).warnings;
};
const plane = (z: number, up: number) =>
  `  - reflect: { plane: { point: [0, 0, ${z}], normal: [0, 0, ${up}] } }`;
const ball = (x: number, radius: number, side = 'outside') =>
  `  - reflect: { sphere: { center: [${x}, 5, 5], radius: ${radius}, side: ${side} } }`;
const rod = (axis: string) =>
  `  - reflect: { cylinder: { point: [5, 5, 5], axis: [${axis}], radius: 2, side: outside } }`;

it.each([
  ['z', plane(1, 1)],
  ['z', `${plane(9, 1)}\n${plane(1, -1)}`], // both look away from each other
  ['x', ball(1, 2)],
  ['x', ball(5, 6, 'inside')],
  ['x', rod('1, 0, 1')],
])('a wall through a face along %s, where space repeats, is told with its place', (axis, walls) => {
  const [first] = warningsOf(walls);
  expect(first?.message).toMatch(
    new RegExp(`^reflect knows no periodic images and reaches through a face along ${axis}`),
  );
  expect(first?.location).toMatchObject({ file: 'in.yaml', line: 8 });
});

it.each([
  [plane(1, 1), 'true, true, false'],
  [`${plane(1, 1)}\n${plane(9, -1)}`],
  [ball(5, 4)],
  [ball(5, 4, 'inside')],
  [ball(1, 2), 'false, true, true'],
  [rod('0, 0, 1')],
])('one that no particle meets on both sides of a face is not: %s', (walls, periodic?: string) => {
  expect(warningsOf(walls, periodic)).toEqual([]);
});

it('distances count to the faces of a box that leans', () => {
  const leans = 'lattice: [[10, 0, 0], [6, 10, 0], [0, 0, 10]]';
  expect(warningsOf(ball(8, 4), undefined, leans)).toEqual([]);
  expect(warningsOf(ball(5, 4), undefined, leans)).toHaveLength(1);
});
