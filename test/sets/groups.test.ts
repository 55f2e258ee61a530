// Groups against loops over copies of the particles, on all backends.

import { afterAll, expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { Workplace } from '../support/runCli.js';
import { runText } from '../support/runText.js';

const work = new Workplace();
afterAll(() => work.remove());

const setup = `
configuration: { units: lj, seed: 7 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 10, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 }, B: { mass: 2.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A, A, B, A] }
  - init_temperature: { temperature: 1.44 }
`;
const groups = `
  - region: { name: ball, shape: { sphere: { center: [3, 3, 3], radius: 2 } } }
  - group: { name: ball, region: ball }
  - group: { name: heavy, types: [B] }
  - group: { name: some, ids: [4, 5, 250] }
  - group: { name: even, ids: { first: 0, last: 200, stride: 2 } }
  - group: { name: any, union: [ball, some] }
  - group: { name: both, intersect: [heavy, even] }
  - group: { name: rest, subtract: [all, any, heavy] }
  - group: { name: last, region: { complement: ball }, types: [A], ids: { first: 100, last: 255 } }
`;

// Devices are opened once: what several tests need is compiled once.
const targets = await openTargets('state');
const [target] = targets;

for (const { name, ctx } of targets) {
  it(`${name}: groups hold the particles that a loop finds`, async () => {
    const { values } = await runText(`${setup}${groups}\nsimulation: [setup_system]\n`, ctx);
    const [x, y, z, type, mask] = ['rx', 'ry', 'rz', 'type', 'group_mask'].map(values);
    mask!.forEach((bits, id) => {
      const ball = (x![id]! - 3) ** 2 + (y![id]! - 3) ** 2 + (z![id]! - 3) ** 2 <= 4;
      const heavy = type![id] === 1;
      const some = [4, 5, 250].includes(id);
      const even = id % 2 === 0 && id <= 200;
      const last = !ball && !heavy && id >= 100;
      const sets = [ball, heavy, some, even, ball || some, heavy && even];
      const all = [true, ...sets, !(ball || some || heavy), last];
      expect(bits.toString(2)).toBe(
        all.reduce((sum, is, k) => sum + (is ? 2 ** k : 0), 0).toString(2),
      );
    });
  });

  it(`${name}: a layer on the plane that bounds a region is in it, though devices round positions`, async () => {
    for (const constant of [1.6, 1.7]) {
      const { values } = await runText(
        `
configuration: { units: lj, seed: 7 }
particle_types: { A: { mass: 1 } }
simulation:
  - lattice: { structure: sc, lattice_constant: ${constant}, repeat: [7, 7, 7], types: [A] }
  - init_temperature: { temperature: 1 }
  - group: { name: plane, region: { plane: { point: [${2 * constant}, 0, 0], normal: [1, 0, 0] } } }
  - group: { name: box, region: { box: { z: [0, ${3 * constant}] } } }
  - set: { region: { box: { y: [${4 * constant}, 99] } }, fields: { vx: 9 } }
`,
        ctx,
      );
      const count = (bit: number) =>
        values('group_mask').filter((mask) => (mask & bit) !== 0).length;
      expect([count(2), count(4)]).toEqual([5 * 49, 4 * 49]);
      expect(values('vx').filter((v) => v === 9).length).toBe(3 * 49);
    }
  });

  it(`${name}: particles of a file are in regions by their places within the box, as in LAMMPS`, async () => {
    const places = ['-1 5 5', '1 5 5', '11 5 5', '9 5 5', '5 -1 5', '5 5 31'];
    work.write({
      'outside.xyz': `6\nLattice="10 0 0 0 10 0 0 0 10" Properties=species:S:1:pos:R:3\n${places.map((at) => `A ${at}\n`).join('')}`,
    });
    const { values } = await runText(
      `
configuration: { units: lj, seed: 7 }
particle_types: { A: { mass: 1 } }
simulation:
  - read_extended_xyz: { file: ${work.path('outside.xyz')} }
  - group: { name: low, region: { box: { x: [0, 5.5], z: [4, 99] } } }
  - group: { name: ball, region: { sphere: { center: [9, 5, 5], radius: 1.5 } } }
`,
      ctx,
    );
    // LAMMPS, read_data and group: ids 2, 3, 5 in the block and 1, 4 in the sphere, counted from 1.
    const those = (bit: number) =>
      [...values('group_mask')].flatMap((mask, id) => (mask & bit ? [id] : []));
    expect([those(2), those(4)]).toEqual([
      [1, 2, 4],
      [0, 3],
    ]);
    // What is written is what was read.
    expect(values('rx')[0]).toBe(-1);
  });

  if (name.includes('cpu scalar') || name.includes('javascript') || name === 'webgpu f64') continue;
  it(`${name}: velocity Verlet moves the particles of its group alone`, async () => {
    const steps = `
push_velocity_and_position: { group: mobile }
push_velocity: { group: mobile }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
`;
    const mobile = '  - group: { name: mobile, ids: { first: 50, last: 255 } }\n';
    const simulation = 'simulation: molecular_dynamics\n';
    const before = await runText(`${setup}${mobile}${steps}simulation: [setup_system]\n`, ctx);
    const after = await runText(`${setup}${mobile}${steps}${simulation}`, ctx);
    for (const field of ['rx', 'vy', 'rz']) {
      const [old, now] = [before.values(field), after.values(field)];
      // A sort takes particles into the box, and devices keep fewer digits.
      const moved = now.map((value, id) => Math.abs(value - old[id]!));
      for (let id = 0; id < 50; id++) expect(moved[id]).toBeLessThan(2e-6);
      expect(moved.slice(50).filter((d) => d > 1e-4).length).toBeGreaterThan(200);
    }
  });
}

it('init_temperature gives velocities to its group alone, at its temperature', async () => {
  const text = `${setup}${groups}  - init_temperature: { temperature: 5, group: heavy }\n`;
  const { values } = await runText(`${text}simulation: [setup_system]\n`, target!.ctx);
  const [vx, vy, vz, mass] = ['vx', 'vy', 'vz', 'mass'].map(values);
  const twice = vx!.map((v, k) => mass![k]! * (v * v + vy![k]! ** 2 + vz![k]! ** 2));
  const sum = (heavy: boolean) =>
    twice.filter((_, k) => (mass![k] === 2) === heavy).reduce((a, b) => a + b, 0);
  expect(sum(true) / (3 * 64 - 3)).toBeCloseTo(5, 10);
  expect(sum(false) / (3 * 192 - 3)).toBeLessThan(2);
});

it('a group between set-up and run is that of a group in the set-up', async () => {
  const rest = `
push_velocity_and_position: { group: some }
push_velocity: { group: some }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
`;
  const some = 'group: { name: some, ids: { first: 0, last: 99 } }';
  const between = `${setup}${rest}simulation: [setup_system, ${some}, molecular_dynamics]\n`;
  const inside = `${setup}  - ${some}\n${rest}simulation: molecular_dynamics\n`;
  const [one, other] = [await runText(between, target!.ctx), await runText(inside, target!.ctx)];
  for (const field of ['rx', 'vy', 'group_mask'])
    expect(one.values(field)).toEqual(other.values(field));
  expect(one.values('group_mask').filter((bits) => bits === 3).length).toBe(100);
});

it('refuses unknown groups and regions, and groups that say nothing of their particles', async () => {
  const fails = (lines: string) =>
    expect(runText(`${setup}${lines}\nsimulation: [setup_system]\n`, target!.ctx)).rejects;
  await fails('  - group: { name: a, union: [b] }').toThrow(/there is no group 'b'/);
  await fails('  - group: { name: a, region: b }').toThrow(/there is no region 'b'/);
  await fails('  - group: { name: a }').toThrow(/group needs a region/);
  await fails('  - group: { name: all, types: [A] }').toThrow(/give another name/);
  await fails('  - group: { name: a, region: { ball: 3 } }').toThrow(/has no key 'ball'/);
});

for (const { name, ctx } of targets.filter(({ name }) => /simd|f32/.test(name)))
  it(`${name}: thermo has the temperature of groups, with three degrees of freedom a particle`, async () => {
    const text = `${setup}${groups}
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
thermo: { groups: [heavy, ball, all] }
simulation: molecular_dynamics
`;
    const { values, table } = await runText(text, ctx);
    const [vx, vy, vz, mass, mask] = ['vx', 'vy', 'vz', 'mass', 'group_mask'].map(values);
    const twice = vx!.map((v, k) => mass![k]! * (v * v + vy![k]! ** 2 + vz![k]! ** 2));
    for (const [group, bit] of [
      ['ball', 2],
      ['heavy', 4],
    ] as const) {
      const inside = twice.filter((_, k) => (mask![k]! & bit) !== 0);
      const sum = inside.reduce((a, b) => a + b, 0);
      expect(table[`particles_${group}`]).toEqual([inside.length, inside.length]);
      expect(table[`kinetic_energy_${group}`]!.at(-1)! / (sum / 2)).toBeCloseTo(1, 5);
      const degrees = 3 * inside.length;
      expect(table[`temperature_${group}`]!.at(-1)! / (sum / degrees)).toBeCloseTo(1, 5);
    }
    table.temperature!.forEach((temperature, k) => {
      expect(table.temperature_all![k]! / temperature).toBeCloseTo(1, 5);
    });
  });

it('a pressure of a group is refused, and so is a table with an unknown group', async () => {
  const scheme = (line: string) => `${setup}${groups}${line}\nsimulation: molecular_dynamics\n`;
  const force = 'compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]\n';
  for (const use of ['nose_hoover', 'berendsen'])
    await expect(
      runText(
        scheme(
          `${force}numerical_scheme: { ${use}: { temperature: 1, tau: 1, pressure: 1, tau_pressure: 1, group: ball } }`,
        ),
        target!.ctx,
      ),
    ).rejects.toThrow('a pressure is that of all particles: leave group out');
  await expect(runText(scheme(`${force}thermo: { groups: [bal] }`), target!.ctx)).rejects.toThrow(
    /there is no group 'bal'.*'?ball/,
  );
});

for (const { name, ctx } of targets.filter(({ name }) => /simd|f32/.test(name)))
  it(`${name}: frames have the particles that a group has at the moment`, async () => {
    const text = `${setup}${groups}  - write_lammps_dump: { file: ball.dump, group: ball, columns: [id] }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
dump_data:
  - group: { name: ball, region: ball, every: 5 }
  - write_extended_xyz: { file: ball.xyz, group: ball, frequency: 5, fields: [pos] }
  - write_extended_xyz: { file: heavy.xyz, group: B, frequency: 5, fields: [pos, id] }
simulation: molecular_dynamics
`;
    const { values, texts } = await runText(text, ctx, {
      wanted: ['ball.dump', 'ball.xyz', 'heavy.xyz'],
    });
    const [dump, ball, heavy] = texts.map((written) => written.trim().split('\n'));
    const start = await runText(`${setup}${groups}simulation: [setup_system]\n`, ctx);
    const masks = start.values('group_mask');
    // A particle has id 0: in a dump of LAMMPS all are one more.
    const ids = masks.flatMap((mask, id) => ((mask & 2) === 0 ? [] : [id + 1]));
    expect(dump!.slice(dump!.indexOf('ITEM: ATOMS id') + 1).map(Number)).toEqual(ids);
    expect(heavy![0]).toBe('64');
    // Those of the last frame are in the ball after the last step.
    const count = values('group_mask').filter((mask) => (mask & 2) !== 0).length;
    const last = ball!.slice(-count);
    expect(ball!.at(-count - 2)).toBe(String(count));
    for (const line of last) {
      const [x, y, z] = line.split(' ').slice(1).map(Number);
      expect(Math.hypot(x! - 3, y! - 3, z! - 3)).toBeLessThan(2 + 1e-6);
    }
  });

for (const { name, ctx } of targets.filter(({ name }) => /simd|f32/.test(name)))
  it.each(['velocity_verlet', '{ nose_hoover: { pressure: 9, tau_pressure: 0.1 } }'])(
    `${name}: a group that follows its region has particles by their places in the box, with %s`,
    async (scheme) => {
      // A wide skin: nothing brings particles back before the last step.
      const text = `${setup.replace('rcut_inc: 0.3', 'rcut_inc: 0.8')}compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
numerical_scheme: ${scheme}
setup_groups: [group: { name: low, ids: [1] }]
dump_data: [group: { name: low, region: { box: { x: [0, 0.6] } } }]
simulation: [setup_system, setup_groups, molecular_dynamics]
`;
      const { values, grid } = await runText(text, ctx);
      const { matrix, origin } = grid.wholeDomain;
      const [length, lower] = [matrix[0]!, origin[0]];
      const [x, mask] = [values('rx'), values('group_mask')];
      let out = 0;
      for (const [id, place] of x.entries()) {
        const inBox = place - Math.floor((place - lower) / length) * length;
        if (Math.abs(inBox - place) > 0.1) out++;
        if (Math.min(...[0, 0.6, length].map((end) => Math.abs(inBox - end))) < 1e-4) continue;
        expect((mask[id]! & 2) !== 0, `${id} at ${inBox}`).toBe(inBox >= 0 && inBox <= 0.6);
      }
      // Lists of a device may have been built in the last step.
      if (ctx.backend === 'cpu') expect(out).toBeGreaterThan(5);
    },
  );

it('a frame of a group that is not there is an error', async () => {
  const text = `${setup}${groups}  - write_extended_xyz: { file: a.xyz, group: bal }\nsimulation: [setup_system]\n`;
  await expect(runText(text, target!.ctx)).rejects.toThrow(
    "'bal' is neither a group nor a particle type: did you mean 'ball'",
  );
});
