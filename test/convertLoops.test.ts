import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayPath } from '../packages/cli/src/output/formatError.js';
import { copyScripts } from './support/convertCases.js';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
beforeAll(() => copyScripts(work.root));
afterAll(() => work.remove());

/** 256 atoms of a crystal. */
const start = `units lj
lattice fcc 0.9
region box block 0 4 0 4 0 4
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.0 30 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
thermo 5
`;

/** Rows of LAMMPS (29 Sep 2021): step, potential and kinetic energy. */
type Row = readonly [step: number, potential: number, kinetic: number];

async function converted(name: string): Promise<string> {
  const yaml = work.path(`${name}.yaml`);
  expect(await runCli(['convert', work.path(name), yaml])).toMatchObject({ code: 0, err: '' });
  return yaml;
}

async function expectRows(name: string, rows: readonly Row[]): Promise<void> {
  const out = work.path(`out.${name}`);
  const argv = ['run', await converted(name), '--output', out, '--backend', 'cpu'];
  expect(await runCli([...argv, '--threads', '1'])).toMatchObject({ code: 0 });
  const found = readFileSync(join(out, 'thermo.csv'), 'utf8').trim().split('\n').slice(1);
  const byStep = new Map(found.map((line) => [Number.parseInt(line, 10), line.split(',')]));
  for (const [step, potential, kinetic] of rows) {
    const row = byStep.get(step)!.map(Number);
    expect(row[3]! / potential).toBeCloseTo(1, 10);
    expect(row[4]! / kinetic).toBeCloseTo(1, 10);
  }
}

describe('a script with loops and choices goes on as in LAMMPS', () => {
  it('over temperatures and steps, with a way out', () =>
    expectRows('in.loops', [
      [4, -1703.76325243, 364.218654509],
      [7, -1635.18816942, 324.351318154],
      [10, -1505.612331, 301.878646961],
      [15, -1421.41258771, 354.351698038],
      [17, -1416.32646028, 349.620576889],
    ]));

  it('and a thermostat keeps what it has from run to run, until its fix is made anew', () => {
    const nvt = 'fix 1 all nvt temp 1.0 2.0 0.1';
    const runs = ['fix 0 all nve', 'run 5', 'unfix 0', nvt, 'run 10', 'run 10', 'unfix 1'];
    work.write({ 'in.ramps': [start, ...runs, nvt, 'run 10\n'].join('\n') });
    return expectRows('in.ramps', [
      [15, -1615.30727336, 163.711068867],
      [25, -1635.50494506, 210.701340991],
      [35, -1624.88410893, 226.094538058],
    ]);
  });
});

/** `dt` of what commands make of a variable x. */
async function timestepOf(...lines: readonly string[]): Promise<string | undefined> {
  work.write({ 'in.test': ['units lj', ...lines, 'timestep $x', ''].join('\n') });
  return /dt: (.*?),/.exec((await runCli(['convert', work.path('in.test')])).out)?.[1];
}

it.each<[string, readonly string[], string]>([
  ['loop N M', ['variable x loop 3 5', 'label a', 'next x', 'jump SELF b', 'label b'], '4'],
  ['pad', ['variable i loop 8 10 pad', 'next i', 'variable x string 1$i'], '109'],
  ['a list that ends', ['variable x index 7', 'next x', 'jump SELF', 'variable x index 8'], '8'],
  [
    'a counter',
    ['variable x equal 1', 'label a', 'variable x equal 2*$x', 'if "$x < 50" then "jump SELF a"'],
    '64',
  ],
  [
    'words',
    ['variable w string ice', 'if "$w == ice && $w != water" then "variable x equal 3"'],
    '3',
  ],
  [
    'elif',
    ['if 0 then "variable x equal 1" elif "2 > 1" "variable x equal 2" else "variable x equal 3"'],
    '2',
  ],
  ['else', ['if "1 > 2" then "variable x equal ${none}" else "variable x equal 3"'], '3'],
  ['quit', ['variable x equal 5', 'timestep $x', 'quit', 'variable x equal 6'], '5'],
])('%s means what it means in LAMMPS', async (_, lines, dt) => {
  expect(await timestepOf(...lines)).toBe(dt);
});

it('a file that is jumped to is not come back from', async () => {
  work.write({ 'in.other': 'variable x equal 1\nlabel here\ntimestep 7\n' });
  expect(await timestepOf('jump in.other here', 'timestep 8')).toBe('7');
});

it.each<[readonly string[], number, string]>([
  [['label a', 'jump SELF a'], 2, 'a loop may have no end'],
  [['jump SELF b'], 1, "there is no label 'b'"],
  [['jump ../in.other'], 1, 'is not beside the script'],
  [['next q'], 1, "there is no variable 'q'"],
  [['variable q equal 1', 'next q'], 2, "variable 'q' has no next value"],
  [['variable q loop 5 2'], 1, 'loop 5 2 is no range'],
  [['if "$(temp) > 3" then quit'], 1, 'known only while the run goes on'],
  [['if "a > 3" then quit'], 1, 'if: '],
  [['if 1 quit'], 1, 'if needs a condition, and then'],
  [['if 1 then "if 1 then \'jump SELF b\'"'], 1, "there is no label 'b'"],
  [
    [...start.trim().split('\n'), 'fix 1 all nve', 'label a', 'run 1', 'jump SELF a'],
    13,
    'more than 1000 runs',
  ],
])('%j is told at its line', async (lines, line, message) => {
  work.write({ 'in.wrong': `${lines.join('\n')}\n` });
  const { code, out, err } = await runCli(['convert', work.path('in.wrong')]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.startsWith(`${displayPath(work.path('in.wrong'))}:${line}:`)).toBe(true);
  expect(err).toContain(message);
});

it('what has no counterpart is told once, not in each turn', async () => {
  work.write({
    'in.turns': `${start}variable i loop 3\nlabel a\nvelocity all scale 1.$i\nfix 1 all nve\nrun 1\nnext i\njump SELF a\n`,
  });
  const { code, out } = await runCli(['convert', work.path('in.turns')]);
  expect(code).toBe(3);
  expect(out.match(/velocity scale has no counterpart/g)).toHaveLength(1);
});
