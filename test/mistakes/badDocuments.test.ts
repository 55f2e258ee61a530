import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { meltYaml } from '../support/runCli.js';
import { itOnce, runs } from '../support/runs.js';
import { type Found, type GoodDocument, goodDocuments, mistakesOf } from './support/documents.js';
import { Random } from './support/random.js';
import { type Site, sitesOf } from './support/sites.js';
import { type Spoiling, spoil, spoilings } from './support/spoil.js';
import { vary } from './support/vary.js';

const TIME = runs(60_000, 36_000_000);
const COUNT = Number(process.env.CORPUSCLE_FUZZ ?? 500);

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-mistakes-'));
let good: readonly GoodDocument[];
let sites: readonly (readonly Site[])[];
beforeAll(async () => {
  good = await goodDocuments(folder);
  sites = good.map(({ text }) => sitesOf(text));
});
afterAll(() => rmSync(folder, { recursive: true }));

const placed = ({ code, at }: Pick<Found, 'code' | 'at'>): string => `${at} ${code}`;

/** A document with so many mistakes at places that do not overlap. */
function badDocument(seed: number, count: number) {
  const random = new Random(seed);
  const k = random.below(good.length);
  const chosen: Spoiling[] = [];
  for (let tries = 0; tries < 200 && chosen.length < count; tries++) {
    const all = spoilings(random.pick(sites[k]!), random);
    if (all.length === 0) continue;
    const one = random.pick(all);
    if (chosen.every(({ start, end }) => end <= one.start || start >= one.end)) chosen.push(one);
  }
  return { name: good[k]!.name, ...spoil(good[k]!.text, chosen) };
}

it(
  'finds nothing in right documents, however they are written',
  () => {
    expect(good.length).toBeGreaterThan(40);
    const count = runs(50, COUNT);
    for (let seed = 1; seed <= count; seed++) {
      const random = new Random(seed);
      const { name, text } = random.pick(good);
      const varied = vary(text, random);
      expect(mistakesOf(varied, folder), `${name}, seed ${seed}:\n${varied}`).toEqual([]);
    }
  },
  TIME,
);

it(
  'finds one mistake with its code, at its place, and no other',
  () => {
    const count = runs(75, COUNT);
    for (let seed = 1; seed <= count; seed++) {
      const { name, text, expected } = badDocument(seed, 1);
      const found = mistakesOf(text, folder).map(placed);
      expect(found, `${name}, seed ${seed}:\n${text}`).toEqual(expected.map(placed));
    }
  },
  TIME,
);

it(
  'finds 19 of 20 mistakes, where a document has 2 to 8, and hardly any that are none',
  () => {
    const count = runs(75, COUNT);
    let [made, found, others] = [0, 0, 0];
    const missed: string[] = [];
    for (let seed = 1; seed <= count; seed++) {
      const { name, text, expected } = badDocument(seed, 2 + (seed % 7));
      const told = new Set(mistakesOf(text, folder).map(placed));
      const wanted = new Set(expected.map(placed));
      made += wanted.size;
      for (const one of wanted)
        if (told.has(one)) found++;
        else missed.push(`${name}, seed ${seed}: ${one}`);
      for (const one of told) if (!wanted.has(one)) others++;
    }
    // 99 % are found, and 1 in 500 is another one that follows from those made.
    expect(made).toBeGreaterThan(3 * count);
    expect(found / made, missed.join('\n')).toBeGreaterThan(0.95);
    expect(others / made).toBeLessThan(0.01);
  },
  TIME,
);

type Parts = Readonly<Record<string, string | null>>;
const dump = (item: string): Parts => ({ dump_data: `\n  - ${item}` });

// Lines of the melt: see test/bad-input.test.ts; parts that are added begin in line 10.
itOnce.each<[what: string, parts: Parts, ...found: string[]]>([
  ['nothing that runs', { simulation: '[]' }, '9:13 MISSING_VALUE'],
  ['nop alone', { simulation: '[nop]' }, '9:13 MISSING_VALUE'],
  ['no forces, and nothing that says so', { compute_force: '[]' }, '7:16 MISSING_VALUE'],
  [
    'no set-up, and nothing that would follow from it',
    { setup_system: '[]' },
    '4:15 MISSING_VALUE',
  ],
  [
    'values outside of their sections, and nothing that would follow from it',
    { global: '{ rcut_inc: 0.3, end_iteration: 20 }', timestep: '0.005', seed: '3' },
    '10:1 UNKNOWN_KEY',
    '11:1 UNKNOWN_KEY',
  ],
  [
    'lists in which no operator is, wherever they stand',
    {
      compute_force: 'nop', // this is meant
      dump_data: '[[], { body: [nop] }, [nop, measure]]',
      unused: '\n  - nop',
    },
    '9:13 MISSING_VALUE',
    '9:25 MISSING_VALUE',
    '11:3 MISSING_VALUE',
  ],
  [
    'a rebind to a name that nobody has, and not what operators lack by it',
    dump('{ rebind: { dt: nobody }, body: [next_time_step, velocity_verlet] }'),
    '11:21 UNKNOWN_KEY',
    '11:38 INVALID_VALUE',
    '11:54 INVALID_VALUE',
  ],
  [
    'values that are absent from a batch with a rebind',
    {
      global: '{ rcut_inc: 0.3, end_iteration: 20 }',
      ...dump('{ rebind: { dt: dt }, body: [next_time_step] }'),
    },
    '9:13 MISSING_VALUE',
    '11:34 MISSING_VALUE',
    '11:34 INVALID_VALUE',
  ],
  [
    'slots under names that are like none, each once',
    dump('message: { says: hello }'),
    '11:16 UNKNOWN_KEY',
  ],
  [
    'what is absent beside a key whose value cannot be meant for it',
    dump('wall: { color: [red], form: lj93 }'),
    '11:5 MISSING_VALUE',
    '11:13 UNKNOWN_KEY',
  ],
  [
    'a name in rebind that no operator inside has',
    dump('{ rebind: { frequensy: dump_frequency }, body: [thermo: { file: b }] }'),
    '11:17 UNKNOWN_KEY',
  ],
  [
    'a name in rebind that nothing outside has',
    dump('{ rebind: { frequency: dump_frequenzy }, body: [thermo: { file: b }] }'),
    '11:28 UNKNOWN_KEY',
  ],
  [
    'a hook under the name of another program',
    { dump: '\n  - write_gsd: { file: b, frequency: 0 }' },
    '10:1 UNKNOWN_KEY',
    '11:38 INVALID_VALUE',
  ],
  [
    'the set-up of exaNBody, with a mistake inside',
    { setup_system: null, input_data: '\n  - lattice: { density: 1, repeat: [2, 2, 0] }' },
    '7:1 UNKNOWN_KEY',
    '8:5 MISSING_VALUE',
    '8:43 INVALID_VALUE',
  ],
  [
    'a potential of LAMMPS, with its words',
    { compute_force: '\n  - lj/cut: { epsilon: 1, sigma: one, cutoff: 0 }' },
    '8:5 UNKNOWN_OPERATOR',
    '8:34 WRONG_TYPE',
    '8:39 UNKNOWN_KEY',
  ],
  [
    'operators before those that make what they need',
    { simulation: '[compute_force, setup_system]' },
    '8:5 MISSING_VALUE',
  ],
  [
    'a macro with too few values',
    { 'm(a, b)': '[measure]', ...dump('m(1)') },
    '12:5 INVALID_VALUE',
  ],
  [
    'a loop over a name that nobody has',
    dump('{ loop: soon, body: [measure] }'),
    '11:13 UNKNOWN_KEY',
  ],
  [
    'a condition that is a number',
    dump('{ condition: step, body: [measure] }'),
    '11:18 WRONG_TYPE',
  ],
  ['an expression that ends early', dump('{ condition: step >, body: [measure] }'), '11:24 SYNTAX'],
  ['an unknown value in a message', dump("message: { text: 'at {stepp}' }"), '11:27 UNKNOWN_KEY'],
  [
    'a thermostat with several mistakes, each once',
    { numerical_scheme: '\n  - langevin: { temprature: 1, friction: -1, group: [1] }' },
    '11:17 UNKNOWN_KEY',
    '11:42 INVALID_VALUE',
    '11:53 WRONG_TYPE',
  ],
  [
    'friction of a type that there is not',
    { numerical_scheme: '\n  - langevin: { temperature: 1, friction: { Z: 1 } }' },
    '11:48 UNKNOWN_TYPE',
  ],
  [
    'a potential of numbers that make none',
    { compute_force: '\n  - mie_force: { epsilon: 1, sigma: 1, n: 6, m: 6, rcut: 2.5 }' },
    '8:5 INVALID_VALUE',
  ],
  [
    'a level of respa',
    {
      soft: '[zero_force]',
      numerical_scheme: '\n  respa: { levels: [{ forces: soft, step: 2 }, { forces: [sof] }] }',
    },
    '12:37 UNKNOWN_KEY',
  ],
  [
    'misspelled sections, and what is wrong inside',
    {
      global: null,
      globl: '{ dt: -1, end_iteration: 2 }',
      simulation: null,
      simulaton: 'molecular_dynamic',
    },
    '8:1 UNKNOWN_KEY',
    '8:14 INVALID_VALUE',
    '9:1 UNKNOWN_KEY',
    '9:12 UNKNOWN_OPERATOR',
  ],
  [
    'a global under the name of another program, and nothing that would follow from it',
    { global: '{ dt: 0.005, rcut_inc: 0.3, nsteps: 20 }' },
    '2:37 UNKNOWN_KEY',
  ],
  [
    'keys that appear twice, and what else is wrong',
    {
      global: '{ dt: 0.005, dt: 0.004, end_iteration: 2 }',
      compute_force:
        '\n  - lennard_jones_force: { epsilon: 1, sigma: 1, sigma: 2, rcut: 2.5, shifd: none }',
    },
    '2:22 SYNTAX',
    '8:50 SYNTAX',
    '8:71 UNKNOWN_KEY',
  ],
  [
    'hooks that nothing calls, rebinds and switches of batches, beside an operator that nobody has',
    {
      dump_data:
        '\n  - nopp\n  - { parallel: yes, body: [measure: { frequency: 0 }] }\n  - { rebind: { nobody: dt }, body: [measure] }',
      simulation_epilogue: '[measure]',
    },
    '11:5 UNKNOWN_OPERATOR',
    '12:17 WRONG_TYPE',
    '12:51 INVALID_VALUE',
    '13:17 UNKNOWN_KEY',
    '14:1 UNKNOWN_KEY',
  ],
  [
    'a macro without quotes between brackets',
    { 'shell(r, t)': '[measure]', dump_data: '[shell(2, x)]' },
    '11:13 UNKNOWN_OPERATOR',
    '11:22 UNKNOWN_OPERATOR',
  ],
  [
    'cutoffs that the box is too thin for, beside other mistakes',
    {
      global: '{ dt: 0.005, end_iteration: 20, thermo_frequncy: 10 }',
      compute_force: '\n  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 500 }',
    },
    '2:41 UNKNOWN_KEY',
    '8:56 BOX_TOO_THIN',
  ],
  [
    'what an operator lacks that stands for a hook, at its name',
    { setup_system: 'lattice' },
    '4:15 MISSING_VALUE',
    '4:15 MISSING_VALUE',
  ],
])('finds %s', (_, parts, ...found) => {
  expect(mistakesOf(meltYaml(parts), folder).map(placed).sort()).toEqual([...found].sort());
});
