// Random parts of particles, random places, noise: numbers of two operators in one step have nothing to do with each other.

import { expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { runText } from '../support/runText.js';

const head = `
configuration: { units: lj, seed: 11 }
particle_types: { A: { mass: 1 }, B: { mass: 2, charge: 1 }, C: { mass: 3 } }
simulation:
`;
const crystal = '  - lattice: { structure: sc, density: 1, repeat: [20, 20, 20], types: [A] }\n';
const [target] = await openTargets('state');
const run = (lines: string) => runText(`${head}${lines}`, target!.ctx);

/** A count of n draws with probability p is within four standard deviations. */
function expectPart(count: number, n: number, p: number): void {
  expect(Math.abs(count - n * p)).toBeLessThan(4 * Math.sqrt(n * p * (1 - p)));
}

it('set changes a random part of those that are asked for, with the masses of the type', async () => {
  const { values } = await run(`${crystal}
  - set: { type: B, fraction: 0.3 }
  - set: { region: { types: [A] }, type: C, fraction: 0.5 }
`);
  const type = values('type');
  const count = (of: number) => type.filter((t) => t === of).length;
  expectPart(count(1), 8000, 0.3);
  // The second draw is one of its own: half of the rest, not those between 0.3 and 0.5.
  expectPart(count(2), 8000 - count(1), 0.5);
  const mass = values('mass');
  type.forEach((t, id) => {
    expect(mass[id]).toBe(t + 1);
  });
});

it('a seed of its own gives the same part again', async () => {
  const of = async (seed: number) =>
    (await run(`${crystal}  - set: { type: B, fraction: 0.3, seed: ${seed} }\n`)).values('type');
  expect(await of(5)).toEqual(await of(5));
  expect(await of(5)).not.toEqual(await of(6));
});

it('two deletions in one step draw different particles', async () => {
  const { grid } = await run(`${crystal}
  - delete_particles: { fraction: 0.4 }
  - delete_particles: { fraction: 0.4 }
`);
  expectPart(grid.count, 8000, 0.36);
});

it('two creations in one step have different places', async () => {
  const { values } = await run(`
  - domain: { upper: [9, 9, 9] }
  - create_particles: { type: A, count: 200 }
  - create_particles: { type: B, count: 200 }
`);
  expect(new Set(values('rx')).size).toBe(400);
});

it('noise on positions and noise on velocities are independent', async () => {
  const before = await run(crystal);
  const after = await run(`${crystal}
  - gaussian_noise: { sigma: 0.1 }
  - gaussian_noise: { sigma: 0.5, of: velocities }
`);
  for (const c of ['x', 'y', 'z']) {
    const place = before.values(`r${c}`);
    const moved = after.values(`r${c}`).map((r, id) => (r - place[id]!) / 0.1);
    const noise = after.values(`v${c}`).map((v) => v / 0.5);
    const mean = (f: (k: number) => number) =>
      moved.reduce((sum, _, k) => sum + f(k), 0) / moved.length;
    const sd = 1 / Math.sqrt(8000);
    expect(Math.abs(mean((k) => moved[k]!))).toBeLessThan(4 * sd);
    expect(Math.abs(mean((k) => moved[k]! ** 2) - 1)).toBeLessThan(4 * Math.SQRT2 * sd);
    expect(Math.abs(mean((k) => noise[k]! ** 2) - 1)).toBeLessThan(4 * Math.SQRT2 * sd);
    expect(Math.abs(mean((k) => moved[k]! * noise[k]!))).toBeLessThan(4 * sd);
  }
});

it('overlaps are found beyond an open box that is thinner than the distance', async () => {
  const { values } = await run(`
  - domain: { upper: [9, 9, 1], periodic: [true, true, false] }
  - create_particles: { type: A, positions: [[1, 1, 0.1], [1, 1, 2.4], [1, 1, -3.5], [4, 4, 0], [4, 4, 2.6]] }
  - delete_particles: { overlap: 2.5 }
`);
  expect(values('id')).toEqual([0, 2, 3, 4]);
});

const refusals = [
  [
    'create_particles: { type: A, count: 3, region: { types: [B] } }',
    /the region asks for the type of particles, which are not there yet/,
  ],
  [
    'create_particles: { type: A, count: 3, region: { complement: { ids: [1] } } }',
    /asks for the id of particles/,
  ],
  [
    'create_particles: { type: A, positions: [[1, 1, 1]], region: { box: { x: [0, 1] } } }',
    /need no region: remove it/,
  ],
  [
    'create_particles: { type: A, positions: [[1, 1, 1]], min_distance: 1 }',
    /min_distance is that of random places/,
  ],
  [
    'create_particles: { type: A, region: { box: { x: [90, 91] } }, lattice: { structure: sc, lattice_constant: 1 } }',
    /no site of the lattice is in the box and the region/,
  ],
  [
    'create_particles: { type: A, lattice: { lattice_constant: 1 } }',
    /a lattice needs a structure or a basis/,
  ],
  [
    'create_particles: { type: A, lattice: { structure: fcc, basis: [[0, 0, 0]], lattice_constant: 1 } }',
    /give one of both/,
  ],
  [
    'create_particles: { type: A, lattice: { structure: fcc, lattice_constant: 1, orient: [[1, 0, 0], [0, 0, 1], [0, 1, 0]] } }',
    /left-handed/,
  ],
  [
    'set: { fields: { foo: 1 } }',
    /particles have no field 'foo'.*: put particle_properties: \{ fields: \{ foo: \{\} \} \} before it/,
  ],
  ['set: { type: B, region: { field: { name: fo, min: 1 } } }', /particles have no field 'fo'/],
  ['group: { name: g, region: { field: { name: foo, min: 1 } } }', /particles have no field 'foo'/],
  [
    'delete_particles: { region: { field: { name: vx, min: 2, max: 1 } } }',
    /the field vx is to be from 2 to 1: give min ≤ max/,
  ],
  ['delete_particles: { region: nope }', /^there is no region 'nope': put region: \{ name: nope/],
  ['set: { type: B, fraction: 1.1 }', /at least 0 and at most 1/],
] as const;

it.each(refusals)('refuses %s', async (line, message) => {
  const error = await run(`${crystal}  - ${line}\n`).then(
    () => null,
    (thrown: Error) => thrown,
  );
  expect(error?.message).toMatch(message);
});
