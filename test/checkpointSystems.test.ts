import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointed, RunFolders } from './support/restarts.js';
import { itLong, itOnce, runs } from './support/runs.js';

const folders = new RunFolders();
afterAll(() => folders.remove());

/** Some twenty steps after the checkpoint, or forty, on other numbers of threads too. */
const END = runs(40, 60);
const dump = '\n  - checkpoint: { frequency: 20, keep: 9 }';
const hot = '\n  - init_temperature: { temperature: 600 }';
const lattice = (structure: string, a: number, repeat: number, type: string): string =>
  `\n  - lattice: { structure: ${structure}, lattice_constant: ${a}, repeat: [${repeat}, ${repeat}, ${repeat}], types: [${type}] }${hot}`;
const metal = {
  configuration: '{ units: metal, seed: 11, deterministic: true }',
  global: `{ dt: 0.001, rcut_inc: 0.3, end_iteration: ${END}, thermo_frequency: 10 }`,
  dump_data: dump,
};
const silicon =
  'epsilon: 2.1683, sigma: 2.0951, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: "-1/3", A: 7.049556277, B: 0.6022245584, p: 4, q: 0';

/** 27 chains of four in a tilted box that is open along c. */
function chains(): string {
  const lines = [
    '108',
    'Lattice="7 0 0 1.5 7 0 0 0.5 8" pbc="T T F" Properties=species:S:1:pos:R:3',
  ];
  for (let k = 0; k < 27; k++)
    for (let n = 0; n < 4; n++)
      lines.push(
        `A ${2.3 * (k % 3) + 0.55 * n} ${2.3 * (Math.floor(k / 3) % 3) + 0.1 * n} ${2.3 * Math.floor(k / 9) + (n % 2)}`,
      );
  return `${lines.join('\n')}\n`;
}
const boxed = `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${END}, thermo_frequency: 10 }`;
const bath = '{ pressure: 2, tau_pressure: 0.5, coupling: triclinic, temperature: 1.2, tau: 0.2 }';
const start = path.join(folders.root, 'chains.xyz');
writeFileSync(start, chains());
const bonds = JSON.stringify(
  Array.from({ length: 27 }, (_, k) => [0, 1, 2].map((n) => [4 * k + n, 4 * k + n + 1])).flat(),
);

const systems = {
  'three-body forces': {
    ...metal,
    particle_types: '{ Si: { mass: 28.085 } }',
    setup_system: lattice('diamond', 5.431, 3, 'Si'),
    compute_force: `\n  - stillinger_weber_force: { ${silicon} }`,
  },
  'many-body forces': {
    ...metal,
    particle_types: '{ Cu: { mass: 63.5 } }',
    setup_system: lattice('fcc', 3.61, 4, 'Cu'),
    compute_force:
      '\n  - sutton_chen_force: { epsilon: "12.382 meV", a: "0.361 nm", n: 9, m: 6, c: 39.432, rcut: 5.4 }',
  },
  'bonds in a tilted box that is half open': {
    global: `{ dt: 0.002, rcut_inc: 0.2, end_iteration: ${END}, thermo_frequency: 10 }`,
    setup_system: `\n  - read_extended_xyz: { file: ${start} }\n  - bond_particles: { bonds: ${bonds}, scaling: [0, 1, 1] }\n  - init_temperature: { temperature: 0.5 }`,
    compute_force:
      '\n  - lennard_jones_force: { epsilon: 1, sigma: 0.8, rcut: 1.6 }\n  - harmonic_bond_force: { k: 60, r0: 1.1, rcut: 2.4 }',
    dump_data: dump,
  },
  'a box that leans and flips': {
    global: boxed,
    '+numerical_scheme': '\n  - deform: { rate: { xy: 3 }, true_rate: { zz: 0.2 } }',
    dump_data: dump,
  },
  'a box whose images drive a flow': {
    global: boxed,
    '+numerical_scheme': '\n  - deform: { rate: { xy: 3 }, remap: velocities }',
    dump_data: dump,
  },
  'constant pressure and temperature': {
    global: boxed,
    numerical_scheme: `{ nose_hoover: ${bath} }`,
    dump_data: dump,
  },
  'faces that mirror and faces that follow': {
    global: boxed,
    '+setup_system':
      '\n  - change_box: { periodic: [true, false, false], remap: none }\n  - shrink_wrap: { faces: [zlo, zhi], minimum: true }',
    after_drift:
      '\n  - mirror: { faces: [ylo, yhi, zlo] }\n  - shrink_wrap: { faces: [zhi], minimum: true, every: 7 }',
    dump_data: dump,
  },
  'groups, springs to anchors, and particles that come and go': {
    global: boxed,
    '+setup_system':
      '\n  - region: { name: low, shape: { box: { z: [0, 3] } } }\n  - group: { name: below, region: low }\n  - group: { name: fast, region: { field: { name: vx, min: 1 } } }',
    after_drift:
      '\n  - delete_particles: { fraction: 0.05, every: 10, from: 10 }\n  - create_particles: { type: A, count: 12, min_distance: 0.8, temperature: 1, group: below, every: 10, from: 10 }\n  - group: { name: fast, region: { intersection: [low, { field: { name: vx, min: 1 } }] }, every: 5 }',
    compute_force:
      '\n  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }\n  - spring_self: { k: 3, group: below }\n  - gravity: { acceleration: [0, 0, -0.5], group: fast }',
    dump_data: '\n  - checkpoint: { frequency: 15, keep: 9 }',
  },
  'particles that come and go in the very step of a checkpoint, beside nose_hoover': {
    global: boxed,
    numerical_scheme:
      '\n  - nose_hoover: { pressure: 2, tau_pressure: 0.5, temperature: 1.2, tau: 0.2 }',
    dump_data: `\n  - delete_particles: { fraction: 0.05, every: 10, from: 10 }\n  - create_particles: { type: A, count: 8, min_distance: 0.8, temperature: 1, every: 10, from: 10 }${dump}`,
  },
  'stochastic coupling to a pressure': {
    global: boxed,
    '+numerical_scheme': '\n  - cell_rescale: { pressure: 2, temperature: 1.2, tau: 0.5 }',
    dump_data: dump,
  },
  'pressures of lengths in a box that leans': {
    global: boxed,
    '+setup_system': '\n  - change_box: { strain: { xy: 0.2, yz: -0.1 } }',
    numerical_scheme:
      '{ nose_hoover: { pressure: [1, 4, 2], tau_pressure: 0.5, coupling: aniso, temperature: 1.2, tau: 0.2 } }',
    dump_data: dump,
  },
  'constant pressure with weak coupling to a temperature': {
    global: boxed,
    numerical_scheme:
      '[{ nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso } }, { berendsen: { temperature: 1.2, tau: 0.2 } }]',
    dump_data: dump,
  },
  'constant pressure with velocities that change now and then': {
    global: boxed,
    numerical_scheme: '{ nose_hoover: { pressure: 2, tau_pressure: 0.1 } }',
    dump_data: `\n  - gaussian_noise: { of: velocities, sigma: 0.2, every: 10 }${dump}\n  - remove_momentum: { frequency: 20 }`,
  },
  'a tilt that deforms beside pressures of lengths': {
    global: boxed,
    numerical_scheme:
      '[{ nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso } }, { deform: { rate: { xy: 0.15 } } }]',
    dump_data: dump,
  },
  'images that drive a flow beside a pressure': {
    global: boxed,
    numerical_scheme:
      '[{ nose_hoover: { pressure: 2, tau_pressure: 0.5 } }, { deform: { rate: { xy: 0.15 }, remap: velocities } }]',
    dump_data: dump,
  },
  'a flow beside a pressure': {
    global: boxed,
    numerical_scheme: '{ nose_hoover: { pressure: 2, tau_pressure: 0.5 } }',
    after_drift: '\n  - deform: { rate: { xy: 0.15 }, sllod: true }',
    dump_data: dump,
  },
  'weak coupling to a pressure': {
    global: boxed,
    '+numerical_scheme': '\n  - berendsen_box: { pressure: 2, tau_pressure: 0.5, every: 3 }',
    dump_data: dump,
  },
} as const;

/** The first checkpoint of a system, which a run goes on from. */
const startOf = ({ dump_data }: { readonly dump_data: string }): number =>
  Number(/frequency: (\d+)/.exec(dump_data)![1]);

describe('deterministic runs of other systems go on with the same bits', () => {
  it.each(Object.keys(systems) as (keyof typeof systems)[])('%s', async (name) => {
    const yaml = checkpointed(END, 20, systems[name]);
    // Sums of one thread are those of two, and checkpoint.test.ts goes on with either. Two take twice the processor time.
    for (const threads of runs([1], [1, 2]))
      await folders.compare(
        `${name}-${threads}`,
        yaml,
        { threads },
        { from: [startOf(systems[name])] },
      );
  });

  itLong.each([
    'constant pressure and temperature',
    'constant pressure with velocities that change now and then',
    'a tilt that deforms beside pressures of lengths',
    'images that drive a flow beside a pressure',
    'a flow beside a pressure',
  ] as const)('%s on WebGPU', async (name) => {
    const yaml = checkpointed(30, 20, { ...systems[name] });
    await folders.compare(name, yaml, { backend: 'webgpu' }, { from: [20] });
  });

  itLong('between faces that mirror and faces that follow on WebGPU', async () => {
    const faces = systems['faces that mirror and faces that follow'];
    const { '+setup_system': setup, after_drift } = faces;
    const yaml = checkpointed(30, 15, { '+setup_system': setup, after_drift });
    await folders.compare('faces', yaml, { backend: 'webgpu' }, { from: [15] });
  });

  itLong('in double precision on WebGPU', async () => {
    const yaml = checkpointed(30, 15, {});
    const machine = { backend: 'webgpu', precision: 'mixed' } as const;
    await folders.compare('double', yaml, machine, { from: [15] });
  });
});

describe('a checkpoint on the CPU', () => {
  itOnce('changes no bit of a deterministic run, whenever it is written', async () => {
    const machine = { threads: 2 };
    await folders.run('never', checkpointed(60, 1000, {}), machine);
    const often = '\n  - checkpoint: { every: 1 ms, keep: 3 }';
    await folders.run('often', checkpointed(60, 1, { dump_data: often }), machine);
    expect(folders.text('often', 'thermo.csv')).toBe(folders.text('never', 'thermo.csv'));
    expect(folders.steps('often')).toHaveLength(3);
    expect(folders.steps('never')).toEqual([60]);
  });
});

describe('a deterministic run goes on with the same bits', () => {
  const machines: Parameters<typeof folders.run>[2][] = [
    { backend: 'cpu', threads: 2 },
    { backend: 'cpu', threads: 2, precision: 'mixed' },
    { backend: 'cpu', threads: 1 },
    { backend: 'webgpu' },
  ];
  it.each(runs(machines.slice(0, 2), machines.slice(2)))(
    'whatever is printed in between: %j',
    async (machine) => {
      const name = `printed-${JSON.stringify(machine)}`.replace(/\W/g, '');
      await folders.run(name, checkpointed(60, 20), machine);
      const more = checkpointed(60, 20, {
        global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 60, thermo_frequency: 1 }',
      });
      await folders.run(`${name}-more`, more, machine, { name, step: 20 });
      for (const step of [40, 60])
        expect(await folders.particles(`${name}-more`, step)).toEqual(
          await folders.particles(name, step),
        );
    },
  );
});

describe('a run that is interrupted', () => {
  itOnce('writes a checkpoint in its last step, and goes on from it', async () => {
    const yaml = checkpointed(80, 50);
    await folders.run('undisturbed', yaml, { threads: 2 });
    const { status } = await folders.run('stopped', yaml, { threads: 2, interruptAt: 23 });
    expect(status).toBe('interrupted');
    expect(folders.steps('stopped')).toEqual([24]);
    const from = { name: 'stopped', step: 24 };
    await folders.run('continued', yaml, { threads: 2 }, from);
    const rows = (name: string, not = '') =>
      folders
        .text(name, 'thermo.csv')
        .split('\n')
        .filter((row) => not === '' || !row.startsWith(not));
    // The last row of the interrupted run is one that nobody asked for.
    expect(rows('continued', '24,')).toEqual(rows('undisturbed'));
    expect(rows('continued')).toHaveLength(rows('undisturbed').length + 1);
  });
});

describe('a run goes on within its precision', () => {
  const free = {
    configuration: '{ units: lj, seed: 87287 }',
    global: '{ dt: 0.005, end_iteration: 60, thermo_frequency: 10 }',
  };
  const energies = (name: string): number[][] =>
    folders
      .text(name, 'thermo.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(',').map(Number));
  const agree = (one: string, other: string, digits: number): void => {
    const rows = energies(other);
    expect(rows.map(([step]) => step)).toEqual([0, 10, 20, 30, 40, 50, 60]);
    energies(one).forEach((row, k) => {
      expect(Math.abs(row[3]! - rows[k]![3]!)).toBeLessThan(10 ** -digits * Math.abs(row[3]!));
      expect(Math.abs(row[5]! - rows[k]![5]!)).toBeLessThan(10 ** -digits * Math.abs(row[5]!));
    });
  };

  itOnce('without deterministic, with a tuned skin, and with other threads', async () => {
    await folders.run('free', checkpointed(60, 20, free));
    await folders.run('free-on', checkpointed(60, 20, free), {}, { name: 'free', step: 20 });
    agree('free-on', 'free', 11);
    const two = { threads: 2 };
    await folders.run('free-two', checkpointed(60, 20, free), two, { name: 'free', step: 40 });
    agree('free-two', 'free', 11);
  });

  itOnce('from the CPU to WebGPU and back', async () => {
    const yaml = checkpointed(60, 20);
    const steps = yaml.replace('thermo_frequency: 7', 'thermo_frequency: 10');
    await folders.run('here', steps);
    const there = { backend: 'webgpu' } as const;
    const { said } = await folders.run('there', steps, there, { name: 'here', step: 20 });
    expect(said.join('\n')).toMatch(/written on cpu f64, .*webgpu f32.*last digits/);
    agree('there', 'here', 4);
    await folders.run('back', steps, {}, { name: 'there', step: 40 });
    agree('back', 'here', 4);
  });

  itOnce('if its files are gone: they begin anew', async () => {
    await folders.run('gone', checkpointed(30, 10));
    rmSync(path.join(folders.folder('gone'), 'thermo.csv'));
    await folders.run('gone-on', checkpointed(30, 10), {}, { name: 'gone', step: 20 });
    const rows = folders.text('gone-on', 'thermo.csv').trim().split('\n');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['step', '21', '28', '30']);
  });
});
