import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** A script with two types, its commands, and what follows the first step. */
async function convert(units: string, ...commands: string[]) {
  const lines = [
    `units ${units}`,
    `lattice fcc ${units === 'lj' ? 0.8 : 5.3}`,
    'region b block 0 3 0 3 0 3',
    'create_box 2 b',
    'create_atoms 1 box',
    'mass * 1.0',
    ...commands,
    'fix 1 all nve',
    'run 3',
  ];
  work.write({ 'in.test': `${lines.join('\n')}\n` });
  const { code, out } = await runCli(['convert', work.path('in.test')]);
  return { code, out, flat: out.replace(/\s+/g, ' ') };
}

/** The number of a slot. */
const slotOf = (text: string, name: string): number =>
  Number(new RegExp(`${name}: ([-+.\\de]+)`).exec(text)![1]);

describe('fix press/berendsen', () => {
  it.each([
    ['iso 1 2 5', 'pressure: [1, 2], tau_pressure: 5, compressibility: 0.1'],
    ['aniso 1 1 5 modulus 20', 'coupling: aniso, compressibility: 0.05'],
    [
      'x 1 1 5 y 1 1 5 z 1 1 5',
      'pressure: 1, tau_pressure: 5, coupling: aniso, compressibility: 0.1',
    ],
    ['x 1 1 5 z 2 3 5', 'pressure: [1, 0, [2, 3]]'],
    ['y 1 1 5 modulus 4', 'coupling: y, compressibility: 0.25'],
    ['x 1 1 5 y 1 1 5 z 1 1 5 couple yz', 'coupling: yz, compressibility: 0.1'],
    ['x 1 1 5 y 1 1 5 z 1 1 5 couple xyz', 'pressure: 1, tau_pressure: 5, compressibility: 0.1'],
    ['x 1 1 5 y 1 1 5 couple xy modulus 5', 'axes: xy, compressibility: 0.2'],
  ])('%s', async (words, expected) => {
    const { code, flat } = await convert('lj', `fix 2 all press/berendsen ${words}`);
    expect(code).toBe(0);
    const slots = flat.slice(flat.indexOf('berendsen:')).replace(/(\w) (\w+):/g, '$1, $2:');
    expect(slots.replace(/\] (\w)/g, '], $1')).toContain(expected);
  });

  it.each(['x 1 1 5 y 2 2 5 couple xy', 'x 1 1 5 y 1 1 6', 'iso 1 1 5 dilate some'])(
    '%s has no counterpart',
    async (words) => {
      const { code, out } = await convert('lj', `fix 2 all press/berendsen ${words}`);
      expect(code).toBe(3);
      expect(out).toContain('not converted: fix 2 all press/berendsen');
    },
  );

  it.each(['metal', 'real'])('has a modulus in the pressures of %s', async (units) => {
    const { out } = await convert(units, 'fix 2 all press/berendsen iso 0 0 100 modulus 50');
    expect(slotOf(out, 'compressibility')).toBe(0.02);
  });
});

describe('fixes', () => {
  it.each([
    ['metal', 1 / 1.0364269e-4],
    ['real', 1 / 48.88821291 ** 2],
    ['lj', 1],
  ])('gravity is a force of a mass in %s', async (units, factor) => {
    const { code, out } = await convert(units, 'fix 2 all gravity 0.5 vector 1 0 0');
    expect(code).toBe(0);
    const [, x] = /acceleration: \[([^,]+),/.exec(out)!;
    expect(Number(x) / (0.5 * factor)).toBeCloseTo(1, 12);
  });

  it.each(['fix 2 all setforce 0.0 NULL NULL region b', 'velocity all set 0.1 NULL NULL sum yes'])(
    '%s is told',
    async (line) => {
      const { code, out } = await convert('lj', line);
      expect(code).toBe(3);
      expect(out).toContain(`not converted: ${line}`);
    },
  );

  it('deform every so many steps is told', async () => {
    const { code, out } = await convert('lj', 'fix 2 all deform 10 x erate 0.1');
    expect(code).toBe(3);
    expect(out).toContain('not converted: fix deform 10 (the box changes in every step here)');
    expect(out).toMatch(/deform: \{ rate: \{ xx: 0.1 \}/);
  });

  it('deform in lengths gives the box of LAMMPS', async () => {
    const script = `units lj
lattice fcc 0.8
region b prism 0 3 0 3 0 3 0.5 0.25 -0.5
create_box 1 b
create_atoms 1 box
mass 1 1.0
pair_style lj/cut 2.5
pair_coeff 1 1 1 1
fix 1 all nve
fix 2 all deform 1 x final -0.1 3.1 y delta 0.05 -0.05 z vel 0.5 xy final 0.25 xz delta 0.1 yz wiggle 0.2 0.7
thermo_style custom step lx ly lz xy xz yz
thermo 20
timestep 0.002
run 20
`;
    const [yaml, out] = [work.path('deform.yaml'), work.path('deform')];
    work.write({ 'in.deform': script });
    expect(await runCli(['convert', work.path('in.deform'), yaml])).toMatchObject({ code: 0 });
    expect(await runCli(['run', yaml, '--output', out])).toMatchObject({ code: 0 });
    const [names, , row] = readFileSync(`${out}/thermo.csv`, 'utf8')
      .split('\n')
      .map((line) => line.split(','));
    const box = Object.entries({
      // lmp of 2021-09-29
      ...{ lx: 5.47192302936543, ly: 4.958930245362421, lz: 5.164127358963624 },
      ...{ xy: 0.427493986669174, xz: 0.5984915813368437, yz: -0.7348194738489777 },
    });
    for (const [name, length] of box)
      expect(Number(row![names!.indexOf(name)])).toBeCloseTo(length, 12);
  });

  it.each([
    ['x delta 0 0.1', 'not converted: deform x delta (the box grows about its center here)'],
    ['x wiggle 0.1 1 y wiggle 0.1 2', 'wiggles of different periods have no counterpart'],
    ['x erate 0.1 y volume', 'deform y volume has no counterpart'],
  ])('deform 1 %s is told', async (words, told) => {
    const { code, out } = await convert('lj', `fix 2 all deform 1 ${words}`);
    expect(code).toBe(3);
    expect(out).toContain(told);
  });

  it('virials of fixes are told', async () => {
    const wall = ['fix 2 all wall/lj93 zlo EDGE 1 1 2.5', 'fix_modify 2 virial yes'];
    expect((await convert('lj', ...wall)).out).toContain('not converted: fix_modify 2 virial yes');
  });
});

it('names of groups may have hyphens, and a temperature of the same group changes nothing', async () => {
  const lines = [
    'region left block 0 1 INF INF INF INF',
    'group mobile-left region left',
    'compute t mobile-left temp',
    'velocity mobile-left create 1 77 temp t loop geom',
    'fix 2 mobile-left temp/rescale 10 1 1 0.1 1',
    'fix_modify 2 temp t',
  ];
  expect((await convert('lj', ...lines)).out).not.toContain('not converted');
  const other = [...lines.slice(0, 3), 'velocity all create 1 77 temp t'];
  expect((await convert('lj', ...other)).out).toContain('velocity create with temp t has');
});

it('pair_modify pair shifts one style of a hybrid', async () => {
  const { code, flat } = await convert(
    'lj',
    'pair_style hybrid/overlay lj/cut 2.5 gauss 2.5',
    'pair_coeff * * lj/cut 1 1',
    'pair_coeff * * gauss 2 1',
    'pair_modify pair lj/cut shift yes',
  );
  expect(code).toBe(0);
  expect(flat).toMatch(/lennard_jones_force: \{[^}]*shift: energy \}/);
  expect(flat).toMatch(/gauss_force: \{[^}]*rcut: 2.5 \}/);
});

it('a prism that leans is no box where it names particles', async () => {
  const { code, out } = await convert(
    'lj',
    'region lean prism 0 2 0 2 0 2 0.5 0 0.25',
    'group some region lean',
  );
  expect(code).toBe(0);
  expect(out.match(/plane/g)).toHaveLength(6);
});
