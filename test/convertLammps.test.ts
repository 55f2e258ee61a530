import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dimensions, UnitSystem } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayPath } from '../packages/cli/src/output/formatError.js';
import {
  askLammps,
  convertFolder,
  copyScripts,
  type StepZero,
  scriptNames,
} from './support/convertCases.js';
import { lammps } from './support/oracles.js';
import { runCli, Workplace } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';

const work = new Workplace();
beforeAll(() => copyScripts(work.root));
afterAll(() => work.remove());

const lmp = lammps();
const stored = JSON.parse(readFileSync(join(convertFolder, 'lammps.json'), 'utf8')) as Record<
  string,
  StepZero
>;

/** An energy density as a pressure, in the user's units. */
function pressureOf(units: string): number {
  const system = UnitSystem.of(units);
  return system.fromInternal(1, dimensions.pressure) / system.fromInternal(1, dimensions.energy);
}

function stepZeroOf(folder: string): Omit<StepZero, 'volume'> {
  const [, row] = readFileSync(work.path(`${folder}/thermo.csv`), 'utf8').split('\n');
  const values = row!.split(',').map(Number);
  return { potential: values[3]!, kinetic: values[4]!, pressure: values[6]! };
}

const some = ['in.alloy', 'in.field', 'in.hybrid', 'in.mixed', 'in.overlay', 'in.stages'];

describe('a converted script', () => {
  itOnce('may minimize, and then name what moves the particles', async () => {
    work.write({
      'in.relaxed': `units lj
lattice sc 0.9
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
minimize 1e-8 1e-8 100 1000
velocity all create 1.0 77
fix 1 all nvt temp 1.0 1.0 0.5
run 10
`,
    });
    const yaml = work.path('relaxed.yaml');
    expect(await runCli(['convert', work.path('in.relaxed'), yaml])).toMatchObject({
      code: 0,
      err: '',
    });
    const text = readFileSync(yaml, 'utf8');
    expect(text).toMatch(/nose_hoover[\s\S]*minimize[\s\S]*run: \{ steps: 10 \}/);
    expect(text).not.toContain('not converted');
  });

  itOnce(
    'has chains and tilts of its own, and says which changes of tilts it has not',
    async () => {
      const script = (fixes: string) => `units lj
lattice sc 0.9
region box prism 0 5 0 5 0 5 1 0 0
create_box 1 box
create_atoms 1 box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
${fixes}
run 10
`;
      work.write({
        'in.chains': script('fix 1 all npt temp 1 1 0.5 iso 1 1 2 tchain 5 ploop 2'),
        'in.film': script('fix 1 all nph x 1 1 2 y 1 1 2'),
        'in.unequal': script('fix 1 all npt temp 1 1 0.5 x 1 2 2 z 3 3 2'),
        'in.tilts': script('fix 1 all nve\nfix 2 all deform 1 x erate 0.1 flip no'),
        'in.grown': script('fix 1 all nve\nfix 2 all deform 1 xy trate 0.1'),
      });
      const converted = async (name: string) => (await runCli(['convert', work.path(name)])).out;
      expect(await converted('in.chains')).toMatch(
        /chain: 5\b[\s\S]*parts_pressure: 2\b[\s\S]*chain_pressure: 3\b/,
      );
      expect(await converted('in.film')).toMatch(/coupling: aniso, axes: xy/);
      expect(await converted('in.unequal')).toMatch(
        /pressure: \[\[1, 2\], 0, 3\][\s\S]*coupling: aniso\s+axes: xz/,
      );
      expect(await converted('in.tilts')).toMatch(/flip: false, tilts: stay/);
      expect(await converted('in.grown')).toContain('deform xy trate multiplies a tilt');
    },
  );

  itOnce('is one of 25', () => expect(scriptNames).toHaveLength(25));

  it.each(
    runs(
      some,
      scriptNames.filter((name) => !some.includes(name)),
    ),
  )('%s has the energies of LAMMPS at step 0', async (name) => {
    const yaml = work.path(`${name}.yaml`);
    expect(await runCli(['convert', work.path(name), yaml])).toMatchObject({ code: 0, err: '' });
    const argv = ['run', yaml, '--output', work.path(`out.${name}`), '--backend', 'cpu'];
    expect(await runCli([...argv, '--threads', '1'])).toMatchObject({ code: 0 });
    const ours = stepZeroOf(`out.${name}`);
    const theirs = lmp ? askLammps(lmp, name) : stored[name]!;
    const units = /^units (\w+)/m.exec(readFileSync(work.path(name), 'utf8'))![1]!;
    const factor = pressureOf(units);
    expect(Math.abs(ours.potential / theirs.potential - 1)).toBeLessThan(1e-10);
    expect(Math.abs(ours.kinetic - theirs.kinetic)).toBeLessThanOrEqual(1e-10 * theirs.kinetic);
    // 3 p V = 2 K + W
    const virial = (p: number, k: number) => (3 * p * theirs.volume) / factor - 2 * k;
    const W = virial(theirs.pressure, theirs.kinetic);
    const scale = Math.abs(W) + theirs.kinetic;
    expect(Math.abs(virial(ours.pressure, ours.kinetic) - W) / scale).toBeLessThan(1e-10);
  });
});

/** Rows of LAMMPS (29 Sep 2021): step, potential and kinetic energy. */
const later: readonly [script: string, rows: readonly (readonly [number, number, number])[]][] = [
  [
    'in.moves',
    [
      [40, -1536.93888529, 227.87905444],
      [80, -1480.72740126, 270.674822366],
    ],
  ],
  // The energy of its walls stays that of step 0 there.
  ['in.drop', [[60, Number.NaN, 410.244633549]]],
];

describe('a converted script goes on as it does in LAMMPS', () => {
  it.each(runs(later.slice(0, 1), later.slice(1)))('%s', async (name, rows) => {
    const yaml = work.path(`${name}.later.yaml`);
    expect(await runCli(['convert', work.path(name), yaml])).toMatchObject({ code: 0, err: '' });
    const out = work.path(`later.${name}`);
    const argv = ['run', yaml, '--output', out, '--backend', 'cpu', '--threads', '1'];
    expect(await runCli(argv)).toMatchObject({ code: 0 });
    const found = readFileSync(join(out, 'thermo.csv'), 'utf8').trim().split('\n').slice(1);
    const byStep = new Map(found.map((line) => [Number.parseInt(line, 10), line.split(',')]));
    for (const [step, potential, kinetic] of rows) {
      const row = byStep.get(step)!.map(Number);
      expect(row[4]! / kinetic).toBeCloseTo(1, 9);
      if (!Number.isNaN(potential)) expect(row[3]! / potential).toBeCloseTo(1, 9);
    }
  });

  itOnce('its box relaxes to the same energies', async () => {
    work.write({
      'in.relax': `units metal
lattice fcc 3.6
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 63.5
pair_style lj/cut 6.0
pair_coeff * * 0.4 2.3
fix r all box/relax aniso 1000.0 vmax 0.001
minimize 0 1e-8 10000 100000
unfix r
fix r all box/relax x 0.0 y 0.0 z 0.0
minimize 0 1e-8 10000 100000
`,
    });
    const yaml = work.path('relax.yaml');
    expect(await runCli(['convert', work.path('in.relax'), yaml])).toMatchObject({ code: 0 });
    const argv = ['run', yaml, '--output', work.path('relax'), '--threads', '1'];
    const { out } = await runCli([...argv, '--backend', 'cpu']);
    const energies = [...out.matchAll(/minimize: energy (\S+) after/g)].map(([, x]) => Number(x));
    // LAMMPS: after 3,385 and 3 iterations.
    for (const [k, energy] of [-1619.92367797, -1619.92415855].entries())
      expect(energies[k]! / energy).toBeCloseTo(1, 10);
  });

  itOnce('its tables of one element have a mass, and no names', async () => {
    const script = [...start, 'pair_style eam', 'pair_coeff * * X.eam', 'fix 1 all nve', 'run 1'];
    expect((await convert(...script)).out).toContain('LAMMPS takes the mass from X.eam');
    work.write({ 'X.eam': 'a comment\n29 63.55 3.615 FCC\n' });
    const { out } = await convert(...script);
    expect(out).toContain('A: { mass: 63.55 }');
    expect(out).toContain('- embedded_atom_force: { file: X.eam }');
  });

  itOnce('and tells which motions, walls and groups it has not', async () => {
    const { code, out } = await convert(
      ...start,
      'region cap cylinder z 0 0 1 0 2',
      'region edge block EDGE EDGE INF INF INF INF',
      'pair_style lj/cut 2.5',
      'pair_coeff * * 1 1',
      'group g dynamic all var v',
      'fix 1 all move variable v_x NULL NULL NULL NULL NULL',
      'fix 2 all wall/region cap lj93 1 1 2.5',
      'fix 3 all wall/region edge lj93 1 1 2.5',
      'fix 4 all wall/region cap morse 1 1 1 2.5',
      'fix 5 all box/relax x 1.0 vmax 0.1',
      'run 1',
    );
    expect(code).toBe(3);
    expect(out).toContain('move variable has no counterpart');
    expect(out.match(/the surface of region \w+ has no counterpart/g)).toHaveLength(2);
    expect(out).toContain('wall/region morse has no counterpart');
    expect(out).toContain('box/relax of some axes, or to several pressures, has no counterpart');
    expect(out).toContain('group dynamic with var has no counterpart');
  });
});

const start = [
  'units lj',
  'lattice fcc 0.8',
  'region b block 0 3 0 3 0 3',
  'create_box 1 b',
  'create_atoms 1 box',
  'mass 1 1.0',
];

async function convert(...lines: string[]) {
  work.write({ 'in.test': `${lines.join('\n')}\n` });
  return runCli(['convert', work.path('in.test')]);
}

describe('what has no counterpart', () => {
  itOnce('is a comment at its place, with exit code 3', async () => {
    const { code, out, err } = await convert(
      ...start,
      'pair_style reax/c NULL',
      'fix 1 all nve',
      'fix 2 all rigid/nve molecule',
      'dump 1 all image 10 a.jpg type type',
      'shell touch made.txt',
      'run 3',
    );
    expect(code).toBe(3);
    expect(err).toContain('not all has a counterpart');
    const lines = out.split('\n');
    const after = (text: string) => lines[lines.findIndex((line) => line.includes(text)) + 1];
    expect(after('line 7, not converted: pair_style reax/c NULL')).toBe('compute_force: []');
    expect(after('line 9, not converted: fix 2 all rigid/nve')).toBe('  - velocity_verlet');
    expect(out).toContain('# line 10, not converted: dump 1 all image');
    expect(out).toContain('# line 11, not converted: shell touch made.txt');
    expect(existsSync('made.txt')).toBe(false);
  });

  itOnce('is neither a dump of a group nor an alloy by chance', async () => {
    const { code, out } = await convert(
      'units lj',
      'lattice fcc 0.8',
      'region b block 0 3 0 3 0 3',
      'create_box 2 b',
      'create_atoms 1 box',
      'mass * 1.0',
      'set type 1 type/fraction 2 0.3 99',
      'region low block INF INF INF INF 0 1',
      'group low region low',
      'dump 1 low custom 10 low.dump id x',
      'fix 1 all nve',
      'run 3',
    );
    expect(code).toBe(0);
    expect(out).toContain('set: { type: B, fraction: 0.3, seed: 99, region: { types: [A] } }');
    expect(out).toMatch(/write_lammps_dump: \{.*group: low/);
  });

  itOnce('is told where masses are in a file of tables that is elsewhere', async () => {
    const text = readFileSync(work.path('in.alloy'), 'utf8');
    work.write({
      'in.far': text.replace('MN.eam.alloy', '/far/MN.eam.fs').replace('/alloy', '/fs'),
    });
    const yaml = work.path('far.yaml');
    expect(await runCli(['convert', work.path('in.far'), yaml])).toMatchObject({ code: 0 });
    const converted = readFileSync(yaml, 'utf8');
    expect(converted).toContain('# LAMMPS takes masses from /far/MN.eam.fs: put it beside');
    expect(converted).toContain('embedded_atom_force:');
  });

  itOnce('is told, too, of commands that mostly say how LAMMPS does its work', async () => {
    const counts = [
      'dump_modify 1 thresh x > 3',
      'neigh_modify exclude type 1 1',
      'run_style respa 2 2',
      'thermo_modify temp mine',
      'compute_modify thermo_temp extra 0',
    ];
    const idle = [
      'dump_modify 1 sort id format float %.15g',
      'neigh_modify every 1 delay 0 check yes',
      'run_style verlet',
      'thermo_modify norm no flush yes',
    ];
    const rest = ['dump 1 all custom 10 a.dump id x', 'fix 1 all nve'];
    const told = await convert(...start, ...rest, ...counts, 'run 3');
    for (const line of counts) expect(told.out).toContain(`not converted: ${line} (it changes`);
    expect(told.code).toBe(3);
    expect((await convert(...start, ...rest, ...idle, 'run 3')).code).toBe(0);
  });

  itOnce(
    'a script without forces gives a file without forces, and check has no complaint',
    async () => {
      const { code, out } = await convert(...start, 'fix 1 all nve', 'run 3');
      expect(code).toBe(0);
      expect(out).toContain('\ncompute_force: nop\n');
      work.write({ 'free.yaml': out });
      expect((await runCli(['check', work.path('free.yaml')])).code).toBe(0);
    },
  );

  itOnce('never becomes anything but a comment', async () => {
    const { out } = await convert(
      ...start,
      'unknown "a\u2028simulation: []\u0085b: c\rd: e" & ',
      'more\ttext',
    );
    const text = out.slice(out.indexOf('unknown'));
    expect(
      text
        .split(/[\r\n\u0085\u2028]/)
        .slice(1, -1)
        .every((line) => /^\s*#|^simulation:|^ {2}- |^compute_force/.test(line)),
    ).toBe(true);
    expect(out).not.toMatch(/^b: c/m);
    expect(out).not.toMatch(/^d: e/m);
  });
});

describe('a mistake in a script', () => {
  itOnce.each([
    [['units electron'], 1, 'units electron are not converted'],
    [['units lj', 'dimension 2'], 2, 'in a plane are not converted'],
    [[...start, 'mass 2 1.0'], 7, "'2' is no particle type: there are 1"],
    [[...start, 'mass 1 heavy'], 7, "'heavy' is not a mass"],
    [[...start, 'velocity some create 1 2'], 7, "there is no group 'some'"],
    [['units lj', 'create_box 1 b'], 2, "there is no region 'b'"],
    [['units lj', 'timestep $d'], 2, "there is no variable 'd'"],
    [['variable a equal v_b', 'variable b equal v_a', 'timestep $a'], 3, 'leads to itself'],
    [['units lj', 'clear'], 2, "'clear' begins another simulation"],
    [['fix 1 all "nve'], 1, 'is not closed'],
    [['include ../in.melt'], 1, 'is not beside the script'],
    [['include /etc/passwd'], 1, 'is not beside the script'],
    [['include in.test'], 1, 'include each other'],
    [[...start, 'pair_style lj/cut'], 7, 'pair_style lj/cut has 0 numbers: it needs 1'],
    [['units lj', 'run 1'], 2, 'there are no particles yet'],
    [[`fix 1 all ${'x'.repeat(70_000)}`], 1, 'characters'],
  ])('%j is one sentence with its place', async (lines, line, message) => {
    const { code, out, err } = await convert(...lines);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.startsWith(`${displayPath(work.path('in.test'))}:${line}:`)).toBe(true);
    expect(err).toContain(message);
  });
});

itOnce.each([
  ['2*(1+3)^2', 32],
  ['-2^2', 4],
  ['7%4+1.5e1', 18],
  ['(3>2)&&!(1==2)', 1],
  ['sqrt(16)+PI-PI', 4],
  ['2^3^2', 64],
])('variables compute %s as LAMMPS does', async (formula, value) => {
  const { out } = await convert('units lj', `variable x equal ${formula}`, 'timestep $x');
  expect(out).toContain(`dt: ${value},`);
});

itOnce('writes analyses for averages of rdf, msd and vacf', async () => {
  const { code, out } = await convert(
    ...start,
    'pair_style lj/cut 2.5',
    'pair_coeff * * 1 1',
    'fix 1 all nve',
    'compute g all rdf 50 cutoff 2.4',
    'compute m all msd',
    'compute v all vacf',
    'fix g all ave/time 5 2 10 c_g[*] file g.txt mode vector',
    'fix m all ave/time 1 1 10 c_m[4] file m.txt',
    'fix v all ave/time 1 1 2 c_v[4] file v.txt',
    'run 20',
  );
  expect(code).toBe(0);
  expect(out).toContain('radial_distribution: { bins: 50, file: g.txt, frequency: 5, r_max: 2.4 }');
  expect(out).toContain('mean_square_displacement: { file: m.txt, every: 10 }');
  expect(out).toContain('velocity_autocorrelation: { file: v.txt, every: 2 }');
  work.write({ 'a.yaml': out });
  expect(await runCli(['check', work.path('a.yaml')])).toMatchObject({ code: 0 });
});
