// What is done to particles that a file has put some boxes away, or that an operator has put out of the box.

import { expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { runText } from '../support/runText.js';

const [cpu] = await openTargets('state');
const [device] = (await openTargets('state')).filter(({ name }) => name === 'webgpu f32');

/** A pair across the face at x = 10, whose second particle has gone through it, and one that is some boxes away. */
const data = `pair

3 atoms
2 atom types

0 10 xlo xhi
0 10 ylo yhi
0 10 zlo zhi
2 0 0 xy xz yz

Masses

1 1.0
2 2.0

Atoms # charge

1 1 0.5 9.5 2 3 0 0 0
2 1 -0.5 0.5 2 3 1 0 0
3 2 0.25 4 5 6 -1 2 1
`;

const textOf = (setup: string, charge = 0) => `
configuration: { units: lj }
global: { dt: 0.001, rcut_inc: 0.3, end_iteration: 0 }
particle_types: { A: { mass: 1 }, B: { mass: 2, charge: ${charge} } }
setup_system:
  - read_lammps_data: { file: in.data }
${setup}
compute_force: { soft_force: { A: 1, rcut: 1 } }
simulation: molecular_dynamics
`;

it.each([cpu!, ...(device ? [device] : [])])(
  'rotate turns unwrapped places, as displace_atoms of LAMMPS does: $name',
  async ({ ctx }) => {
    const turn = 'displace_particles: { rotate: { point: [9, 2, 3], axis: [0, 0, 1], angle: 90 } }';
    // The box that changes in between takes unwrapped places along.
    const setup = `  - ${turn}\n  - change_box: { scale: 1.1 }\n  - ${turn}`;
    const { values, grid } = await runText(textOf(setup), ctx, { files: { 'in.data': data } });
    const { matrix: m } = grid.domain;
    const [ix, iy, iz] = ['ix', 'iy', 'iz'].map(values);
    const unwrapped = ['rx', 'ry', 'rz'].map((name, axis) =>
      values(name).map(
        (r, k) => r + ix![k]! * m[axis]! + iy![k]! * m[3 + axis]! + iz![k]! * m[6 + axis]!,
      ),
    );
    const turned = ([x, y, z]: number[]) => [9 - (y! - 2), 2 + (x! - 9), z!];
    // Scaled about the center of the box, 6 5 5, in lattice coordinates of the box that is cornered there.
    const scaled = (r: number[]) => r.map((x, axis) => [6, 5, 5][axis]! * (1 - 1.1) + 1.1 * x);
    const first = [
      [9.5, 2, 3],
      [10.5, 2, 3],
      [4 - 10 + 2 * 2, 5 + 20, 6 + 10],
    ];
    const expected = first.map((r) => turned(scaled(turned(r))));
    expected.forEach((r, k) => {
      for (const axis of [0, 1, 2])
        expect(unwrapped[axis]![k]!).toBeCloseTo(r[axis]!, ctx === cpu!.ctx ? 10 : 4);
    });
  },
);

it.each([cpu!, ...(device ? [device] : [])])(
  'a ramp and a box that changes take places in the box, as in LAMMPS: $name',
  async ({ ctx }) => {
    const setup = `  - displace_particles: { move: [6, 13, -4] }
  - displace_particles: { ramp: { axis: x, range: [2, 8], from: [0, 0, 0], to: [3, 0, 12] } }
  - change_box: { lattice: [[12, 0, 0], [3, 11, 0], [0, 0, 9]], remap: none }`;
    const outside = data.replace('4 5 6 -1 2 1', '4 5 26 -1 2 -1');
    const { values, grid } = await runText(textOf(setup), ctx, { files: { 'in.data': outside } });
    expect(grid.wholeDomain.matrix).toEqual([12, 0, 0, 3, 11, 0, 0, 0, 9]);
    const found = ['rx', 'ry', 'rz', 'ix', 'iy', 'iz'].map(values);
    // displace_atoms move and ramp, change_box of LAMMPS (29 Sep 2021): x y z ix iy iz
    const expected = [
      [4.25, 5, 2, 1, 1, 0],
      [5.75, 5, 4, 1, 1, 0],
      [11, 8, 4, -1, 3, 2],
    ];
    expected.forEach((one, k) => {
      one.forEach((x, at) => {
        expect(found[at]![k]!).toBeCloseTo(x, ctx === cpu!.ctx ? 10 : 4);
      });
    });
  },
);

it('set keeps charges of a file where types have none, and gives those of the type otherwise', async () => {
  const files = { 'in.data': data };
  const setup = '  - set: { region: { ids: [2] }, type: B }';
  const kept = await runText(textOf(setup), cpu!.ctx, { files });
  expect(kept.values('charge')).toEqual([0.5, -0.5, 0.25]);
  expect(kept.values('mass')).toEqual([1, 2, 2]);
  const given = await runText(textOf(setup, 3), cpu!.ctx, { files });
  expect(given.values('charge')).toEqual([0.5, 3, 0.25]);
});

it('lammps_geom draws by the place within the box', async () => {
  const velocities = async (...moves: readonly number[]) => {
    const lines = moves.map((x) => `  - displace_particles: { move: [${x}, 0, 0] }`);
    const setup = [...lines, '  - init_temperature: { temperature: 1, method: lammps_geom }'];
    const run = await runText(textOf(setup.join('\n')), cpu!.ctx, { files: { 'in.data': data } });
    return run.values('vx');
  };
  expect(await velocities(16)).toEqual(await velocities(6, 10));
  expect(await velocities(20)).toEqual(await velocities());
});

it('change_box keeps the bits of places along axes that stay', async () => {
  const places = async (setup: string) => {
    const { values } = await runText(textOf(setup), cpu!.ctx, { files: { 'in.data': odd } });
    return ['rx', 'ry', 'rz'].map(values);
  };
  const odd = data
    .replaceAll(' 10 ', ' 49 ') // 49 · (1/49) is not 1
    .replace('2 0 0 xy', '0 0 0 xy')
    .replace('9.5 2 3', '9.123456789012345 6.3 5.1');
  const [x, y, z] = await places('');
  expect(await places('  - change_box: { periodic: [true, false, true] }')).toEqual([x, y, z]);
  const [, y2, z2] = await places('  - change_box: { strain: { xx: 0.1 } }');
  expect([y2, z2]).toEqual([y, z]);
});

it.each([cpu!, ...(device ? [device] : [])])(
  'prescribed_motion turns unwrapped places, as fix move of LAMMPS does: $name',
  async ({ ctx }) => {
    // A quarter of a turn in 100 steps.
    const scheme = 'rotate: { point: [9, 2, 3], axis: [0, 0, 1], period: 4 }';
    const yaml = textOf('').replace(
      'end_iteration: 0 }',
      `end_iteration: 100 }\nnumerical_scheme: { prescribed_motion: { ${scheme} } }`,
    );
    const run = await runText(yaml.replace('dt: 0.001', 'dt: 0.01'), ctx, {
      files: { 'in.data': data },
    });
    const expected = [
      [9, 2.5],
      [9, 3.5],
      [9 - 25 + 2, 2 + (4 - 10 + 4) - 9],
    ];
    const box = run.grid.domain;
    const found = ['rx', 'ry', 'rz'].map(run.values);
    expected.forEach(([x, y], k) => {
      const z = [3, 3, 16][k]!;
      const apart = [x!, y!, z].map((at, axis) => at - found[axis]![k]!);
      const away = box.minimumImage(...(apart as [number, number, number]));
      expect(Math.hypot(...away)).toBeLessThan(ctx === cpu!.ctx ? 1e-9 : 1e-4);
    });
  },
);
