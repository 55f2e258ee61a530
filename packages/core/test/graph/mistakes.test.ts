import type { CorpuscleError } from '@corpuscle/functor/error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import { formatError } from '../../src/error/formatError.js';
import { failureOf, inFolder, load } from './fixture.js';

inFolder();

/** A right file; each case spoils it. */
const GOOD = `configuration: { units: metal, seed: 7 }
global:
  dt: 1 fs
  end_iteration: 2
  say_frequency: 1
particle_types:
  Ar: { mass: 39.948 Da }
setup_system:
  - make_box: { length: 10 ang, types: [Ar] }
compute_force:
  - pair_force: { epsilon: 0.01 eV, rcut: 8.5 ang }
simulation: dynamics
`;

const replaced = (from: string, to: string): string => {
  expect(GOOD).toContain(from);
  return GOOD.replace(from, to);
};

describe('a right file', () => {
  it('loads', () => {
    const simulation = load(GOOD);
    expect(simulation.configuration.seed).toBe(7);
    expect(simulation.particleTypes.get('Ar').mass).toBeCloseTo(39.948, 6);
    expect(simulation.globals).toEqual({ dt: '1 fs', end_iteration: 2, say_frequency: 1 });
  });
});

/** Spoil `from` → `to`: code, line:column of the caret, part of the message. */
type Spoiling = [from: string, to: string, code: string, place: string, text?: string];

const cases: readonly Spoiling[] = [
  ['global:', 'globl:', 'UNKNOWN_KEY', '2:1', "did you mean 'global'?"],
  ['seed: 7', 'sed: 7', 'UNKNOWN_KEY', '1:32', "did you mean 'seed'?"],
  ['seed: 7', 'seed: -7', 'INVALID_VALUE', '1:38', 'at least 0'],
  ['seed: 7', 'seed: 7.5', 'WRONG_TYPE', '1:38', 'whole number'],
  ['seed: 7', 'seed: seven', 'WRONG_TYPE', '1:38', "the text 'seven'"],
  ['seed: 7', 'deterministic: 1', 'WRONG_TYPE', '1:47', 'true or false'],
  ['units: metal', 'units: metall', 'INVALID_VALUE', '1:25', "did you mean 'metal'?"],
  ['units: metal', 'units: { length: ang, mass: Da }', 'MISSING_VALUE', '1:25', "needs 'time'"],
  [
    'units: metal',
    'units: { length: ps, mass: Da, time: ps }',
    'WRONG_DIMENSION',
    '1:35',
    'length',
  ],
  ['units: metal', 'units: { length: ang, mass: Da, time: pss }', 'UNKNOWN_UNIT', '1:56'],
  [
    'units: metal',
    'units: { lenght: ang, mass: Da, time: ps }',
    'UNKNOWN_KEY',
    '1:27',
    "did you mean 'length'?",
  ],
  ['units: metal', 'units: 3', 'WRONG_TYPE', '1:25'],
  ['units: metal', 'units: lj', 'UNKNOWN_UNIT', '3:7', 'lj'],
  ['dt: 1 fs', 'dtt: 1 fs', 'UNKNOWN_KEY', '3:3', "did you mean 'dt'?"],
  [
    'dt: 1 fs',
    'dt: 1 ang',
    'WRONG_DIMENSION',
    '3:7',
    "'1 ang' is a length, but a time is expected",
  ],
  ['dt: 1 fs', 'dt: 1 fss', 'UNKNOWN_UNIT', '3:9', "did you mean 'fs'?"],
  ['dt: 1 fs', 'dt: 1,5 fs', 'SYNTAX', '3:8', "write a decimal point, '1.5 fs'"],
  ['0.01 eV', '0,01 eV', 'SYNTAX', '11:28', "epsilon has a decimal comma, '0,01 eV': write"],
  ['dt: 1 fs', 'dt: [1]', 'WRONG_TYPE', '3:7', 'a list'],
  ['dt: 1 fs', 'dt:', 'MISSING_VALUE', '3:3', 'empty'],
  ['dt: 1 fs', 'dt: .nan', 'INVALID_VALUE', '3:7', 'finite'],
  ['dt: 1 fs', 'dt: 1 +', 'SYNTAX', '3:10'],
  ['  dt: 1 fs\n', '', 'MISSING_VALUE', '11:13', "next_step needs 'dt'"],
  ['  dt: 1 fs', '  dt: 1 fs\n  dt: 2 fs', 'SYNTAX', '4:3', "'dt' appears twice"],
  ['  dt: 1 fs', '\tdt: 1 fs', 'SYNTAX', '3:1', 'tab'],
  ['  dt: 1 fs', '  dt: 1: fs', 'SYNTAX', '3:7'],
  ['  dt: 1 fs', '  dt: *step', 'SYNTAX', '3:7', 'no anchor'],
  ['  dt: 1 fs', '  dt: "1 fs', 'SYNTAX', '3:7', 'the quote " is not closed: add " at the end'],
  ['dt: 1 fs', "dt: '1 fs", 'SYNTAX', '3:7', "the quote ' is not closed"],
  ['dt: 1 fs', 'dt = 1 fs\n  x: 1', 'SYNTAX', '3:3'],
  ['dt: 1 fs', 'dt: 1 fs\n  dt = 2 fs: 1', 'UNKNOWN_KEY', '4:3', "'dt: 2 fs'"],
  ['dt: 1 fs', 'dt: 5d-3', 'SYNTAX', '3:7', "write '5e-3'"],
  ['simulation: dynamics', 'simulation:dynamics', 'SYNTAX', '12:1', "'simulation: dynamics'"],
  ['global:', 'include: other.yaml\nglobal:', 'FILE_NOT_FOUND', '2:10'],
  ['  dt: 1 fs', '  dt: !fs 1', 'SYNTAX', '3:7'],
  ['end_iteration: 2', 'end_iteration: two', 'WRONG_TYPE', '4:18'],
  ['end_iteration: 2', 'end_iteration: 2.5', 'WRONG_TYPE', '4:18'],
  ['end_iteration: 2', 'end_iteration: -1', 'INVALID_VALUE', '4:18', 'at least 0'],
  ['mass: 39.948 Da', 'mas: 39.948 Da', 'UNKNOWN_KEY', '7:9', "did you mean 'mass'?"],
  ['mass: 39.948 Da', 'mass: 0', 'INVALID_VALUE', '7:15', 'more than 0'],
  ['mass: 39.948 Da', 'mass: 39.948 ps', 'WRONG_DIMENSION', '7:15'],
  ['mass: 39.948 Da', 'charge: 1', 'MISSING_VALUE', '7:7', "needs 'mass'"],
  ['Ar: { mass: 39.948 Da }', 'Ar: 39.948', 'WRONG_TYPE', '7:7'],
  ['types: [Ar]', 'types: [Arr]', 'UNKNOWN_TYPE', '9:41', "did you mean 'Ar'?"],
  ['types: [Ar]', 'types: []', 'INVALID_VALUE', '9:40', 'at least 1'],
  ['types: [Ar]', 'types: Ar', 'WRONG_TYPE', '9:40', 'a list'],
  ['types: [Ar]', 'repeat: [1, 1]', 'INVALID_VALUE', '9:41', '2 items: give 3'],
  ['types: [Ar]', 'repeat: [1, 1, 0]', 'INVALID_VALUE', '9:48', 'at least 1'],
  ['types: [Ar]', 'structure: fc', 'INVALID_VALUE', '9:44', "did you mean 'fcc'?"],
  ['types: [Ar]', 'periodic: yes', 'WRONG_TYPE', '9:43', 'true or false'],
  ['types: [Ar]', 'title: 12', 'WRONG_TYPE', '9:40', 'quotes'],
  ['types: [Ar]', 'loop: true', 'UNKNOWN_KEY', '9:33', 'body: [make_box]'],
  ['setup_system:', 'setup_sytem:', 'UNKNOWN_KEY', '8:1', "did you mean 'setup_system'?"],
  ['setup_system:', 'other:', 'MISSING_VALUE', '12:13', "'setup_system' is not defined"],
  ['compute_force:\n', 'compute_force:\nunused:\n', 'MISSING_VALUE', '10:1', 'list of operators'],
  [
    'compute_force:',
    'analyze: [say]\ncompute_force:',
    'UNKNOWN_KEY',
    '10:1',
    "did you mean 'analysis'?",
  ],
  [
    'compute_force:',
    'pair_force: { rcutt: 3 }\ncompute_force:',
    'UNKNOWN_KEY',
    '10:15',
    "did you mean 'rcut'?",
  ],
  ['compute_force:', 'pair_force: [say]\ncompute_force:', 'WRONG_TYPE', '10:13', 'is an operator'],
  ['compute_force:', 'color: red\ncompute_force:', 'UNKNOWN_OPERATOR', '10:8'],
  ['compute_force:', 'color: { red: 1 }\ncompute_force:', 'UNKNOWN_KEY', '10:1'],
  [
    'compute_force:',
    'my_batch: [sayy]\ncompute_force:',
    'UNKNOWN_OPERATOR',
    '10:12',
    "did you mean 'say'?",
  ],
  ['- pair_force', '- pair_forse', 'UNKNOWN_OPERATOR', '11:5', "did you mean 'pair_force'?"],
  ['- pair_force', '- 3\n  - pair_force', 'WRONG_TYPE', '11:5'],
  ['- pair_force', '- compute_force\n  - pair_force', 'INVALID_VALUE', '11:5', 'contains itself'],
  [
    '- pair_force',
    '- say: {}\n    begin: {}\n  - pair_force',
    'WRONG_TYPE',
    '12:5',
    'one operator an item',
  ],
  ['rcut: 8.5 ang', 'rcutt: 8.5 ang', 'UNKNOWN_KEY', '11:37', "did you mean 'rcut'?"],
  ['rcut: 8.5 ang', 'rcut: 8.5 angs', 'UNKNOWN_UNIT', '11:47', "did you mean 'ang'?"],
  ['rcut: 8.5 ang', 'rcut: "8.5 ps"', 'WRONG_DIMENSION', '11:44', 'a length is expected'],
  ['rcut: 8.5 ang', 'rcut: 0', 'INVALID_VALUE', '11:43', 'more than 0'],
  ['rcut: 8.5 ang', 'rcut: 1000', 'INVALID_VALUE', '11:43', 'lower it'],
  ['rcut: 8.5 ang', 'rcut: true', 'WRONG_TYPE', '11:43'],
  [', rcut: 8.5 ang', '', 'MISSING_VALUE', '11:5', "needs 'rcut'"],
  ['rcut: 8.5 ang', 'rcut: 8, pairs: [{ types: [Ar, Kr], sigma: 3 }]', 'UNKNOWN_TYPE', '11:68'],
  ['rcut: 8.5 ang', 'rcut: 8, pairs: [{ types: [Ar, Ar] }]', 'MISSING_VALUE', '11:54', 'sigma'],
  [
    'rcut: 8.5 ang',
    'rcut: 8, pairs: [{ types: [Ar, Ar], sigma: 13 }]',
    'INVALID_VALUE',
    '11:80',
    'lucky',
  ],
  ['rcut: 8.5 ang', 'rcut: 8, group: al', 'INVALID_VALUE', '11:53', "'all'"],
  ['rcut: 8.5 ang', 'rcut: 8, group: [1, -1]', 'INVALID_VALUE', '11:57', 'at least 0'],
  ['rcut: 8.5 ang', 'rcut: 8, group: { first: 1 }', 'MISSING_VALUE', '11:53', 'last'],
  ['rcut: 8.5 ang', 'rcut: 8, file: no.txt', 'FILE_NOT_FOUND', '11:52', 'does not exist'],
  [
    'pair_force: { epsilon: 0.01 eV, rcut: 8.5 ang }',
    'pair_force: 3',
    'WRONG_TYPE',
    '11:17',
    'is an operator',
  ],
  ['simulation: dynamics\n', '', 'MISSING_VALUE', '1:1', 'simulation'],
  [
    'simulation: dynamics',
    'simulation: dynamic',
    'UNKNOWN_OPERATOR',
    '12:13',
    "did you mean 'dynamics'?",
  ],
  [
    'simulation: dynamics',
    'simulation: [begin, pair_force: { rcut: 3 }]',
    'MISSING_VALUE',
    '12:21',
    'put make_box first',
  ],
  [
    'simulation: dynamics',
    'simulation: { body: [say], loop: true }',
    'MISSING_VALUE',
    '12:28',
    'ends the loop',
  ],
  ['simulation: dynamics', 'simulation: { body: [say], loop: maybe }', 'UNKNOWN_KEY', '12:34'],
  [
    'simulation: dynamics',
    'simulation: { body: [say], lop: 2 }',
    'UNKNOWN_KEY',
    '12:28',
    "did you mean 'loop'?",
  ],
  [
    'simulation: dynamics',
    'simulation: { body: [say], condition: contine }',
    'UNKNOWN_KEY',
    '12:39',
  ],
  [
    'simulation: dynamics',
    'simulation: { body: [say], condition: end_iteration }',
    'WRONG_TYPE',
    '12:39',
    "give a condition such as 'step > 100'",
  ],
  ['simulation: dynamics', 'simulation: { body: [say], rebind: 3 }', 'WRONG_TYPE', '12:36'],
  [
    'simulation: dynamics',
    'simulation: [begin: { continue: true }]',
    'UNKNOWN_KEY',
    '12:23',
    'made at run time',
  ],
  [
    'simulation: dynamics',
    'simulation: [begin, { body: [say: { frequency: 0 }] }]',
    'INVALID_VALUE',
    '12:48',
  ],
  [
    'simulation: dynamics',
    'simulation: [write_rows: { file: a }, write_rows: { file: a }]',
    'INVALID_VALUE',
    '12:59',
    'both write a',
  ],
  ['simulation: dynamics', 'includes: [no.yaml]\nsimulation: dynamics', 'FILE_NOT_FOUND', '12:12'],
  ['simulation: dynamics', 'includes: 3\nsimulation: dynamics', 'WRONG_TYPE', '12:11'],
  [
    'simulation: dynamics',
    'includes: in.yaml\nsimulation: dynamics',
    'INVALID_VALUE',
    '12:11',
    'includes itself',
  ],
  ['simulation: dynamics', 'simulation: dynamics\n---\na: 1', 'SYNTAX', '13:1', 'one document'],
  [
    'configuration:',
    '"simulation": dynamics\n+compute_force: []\nconfiguration:',
    'SYNTAX',
    '14:1',
    'twice',
  ],
  ['configuration:', '+particle_types: [1]\nconfiguration:', 'WRONG_TYPE', '1:1', 'is a map'],
  ['8.5 ang }', '8.5 ang', 'SYNTAX', '11:17', "'{' is not closed: add '}'"],
  ['types: [Ar] }', 'types: [Ar }', 'SYNTAX', '9:40', "'[' is not closed: add ']'"],
  ['seed: 7 }', 'seed: 7, # {\n', 'SYNTAX', '1:16', "'{' is not closed"],
  ['8.5 ang }', '8.5 ang }}', 'SYNTAX', '11:52', 'leave it out, or open it before'],
  ['  - make_box', '  - a\n - make_box', 'SYNTAX', '10:1', "each with '- '"],
  ['  end_iteration', '   end_iteration', 'SYNTAX', '3:7', 'a key ends with'],
  ['eV, rcut', 'eV rcut', 'SYNTAX', '11:28', 'put a comma between the entries'],
  ['1 fs', '@', 'SYNTAX', '3:7', 'put the text into quotes'],
];

describe('a mistake is one error with its place', () => {
  it.each(cases)('%j → %j is %s at %s', async (from, to, code, place, text) => {
    const error = await failureOf(() => load(replaced(from, to)));
    const { location } = error;
    expect({
      code: error.code,
      place: `${location?.line}:${location?.column}`,
      message: error.message,
    }).toEqual({
      code,
      place,
      message: text ? expect.stringContaining(text) : expect.any(String),
    });
    expect(location?.file).toMatch(/in\.yaml$/);
    // Other units make every quantity of the file wrong.
    expect(error.more).toHaveLength(to === 'units: lj' ? 4 : 0);
    expect(error.message).not.toMatch(/\n|undefined|\[object/);
  });

  it('shows the line with a caret', async () => {
    const error = await failureOf(() => load(replaced('rcut: 8.5 ang', 'rcutt: 8.5 ang')));
    const lines = formatError(error).split('\n');
    expect(lines[0]).toMatch(
      /in\.yaml:11:37: pair_force has no slot 'rcutt': did you mean 'rcut'\?$/,
    );
    expect(lines[1]).toBe('  11 |   - pair_force: { epsilon: 0.01 eV, rcutt: 8.5 ang }');
    expect(lines[2]).toBe(`     | ${' '.repeat(36)}^^^^^`);
  });

  it('finds files missing, folders, empty files and files that are no map', async () => {
    expect((await failureOf(() => load(''))).code).toBe('MISSING_VALUE');
    expect((await failureOf(() => load('- a'))).code).toBe('SYNTAX');
    expect((await failureOf(() => load('just text'))).code).toBe('SYNTAX');
    const wrong = await failureOf(() =>
      load('includes: sub/b.yaml', { 'sub/b.yaml': 'includes: c.yaml' }),
    );
    expect(wrong.location?.file).toMatch(/sub\/b\.yaml$/);
    expect(wrong.message).toContain('sub/c.yaml');
  });
});

describe('--set', () => {
  it.each([
    ['global.dt=1 ang', 'WRONG_DIMENSION', 11],
    ['global.dtt=1', 'UNKNOWN_KEY', 8],
    ['global.dt', 'SYNTAX', 1],
    ['=3', 'SYNTAX', 1],
    ['global..dt=3', 'SYNTAX', 8],
    ['global.dt="1', 'SYNTAX', 11],
    ['compute_force.7.pair_force.rcut=3', 'UNKNOWN_KEY', 15],
    ['compute_force.pair_forse.rcut=3', 'UNKNOWN_KEY', 15],
    ['compute_force.pair_force.rcutt=3', 'UNKNOWN_KEY', 26],
    ['compute_force.pair_force.rcut=abc', 'UNKNOWN_UNIT', 31],
    ['color=red', 'UNKNOWN_OPERATOR', 7],
  ])('%s is %s at column %i', async (option, code, column) => {
    const error = await failureOf(() => load(GOOD, {}, [option]));
    expect(error).toMatchObject({ code, location: { file: `--set ${option}`, line: 1, column } });
  });
});

describe('several mistakes', () => {
  const textOf = ({ code, message, location }: CorpuscleError) =>
    `${location!.line} ${code} ${message}`;
  const mistakesOf = async (yaml: string) => {
    const error = await failureOf(() => load(yaml));
    return [error, ...error.more].map(textOf);
  };
  // Each in a line of its own, so that any of them can stand together and none hides another.
  const apart = (
    [
      ['seed: 7', 'seed: 7, thread: 2', 'sed: 7', 'seed: -7', 'seed: seven', 'deterministic: 1'],
      ['dt: 1 fs', 'dtt: 1 fs', 'dt: 1 ang', 'dt: 1 fss', 'dt: [1]', 'dt:', 'dt: 1 +'],
      ['end_iteration: 2', 'end_iteration: two', 'end_iteration: -1', 'end_iteraton: 2'],
      ['say_frequency: 1', 'say_frequency: 0', 'say_frequncy: 1', 'say_frequency: [2]'],
      ['mass: 39.948 Da', 'mas: 39.948 Da', 'mass: 0', 'mass: 39.948 ps', 'charge: 1'],
      ['types: [Ar]', 'types: [Arr]', 'types: []', 'repeat: [1, 1, 0]', 'title: 12', 'lop: 3'],
      ['rcut: 8.5 ang', 'rcutt: 8.5 ang', 'rcut: 8.5 angs', 'rcut: 0', 'rcut: 8, group: al'],
      [
        '- pair_force',
        '- 3\n  - pair_force',
        '- pair_forse\n  - pair_force',
        '- say: 3\n  - pair_force',
      ],
      ['setup_system:', 'color: red\nsetup_system:', 'my_batch: [sayy]\nsetup_system:'],
      [
        'simulation: dynamics',
        'simulation: [dynamics, say: { frequency: 0 }]',
        'simulation: [dynamics, sayy]',
      ],
    ] as const
  ).map(([from, ...to]) => to.map((text) => [from, text] as const));

  it('are told all at once, in the order of the file, and no others', async () => {
    const one = fc.oneof(...apart.map((choice) => fc.constantFrom(...choice)));
    const some = fc.uniqueArray(one, { selector: ([from]) => from, minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(some, async (spoilt) => {
        const spoil = (text: string, [from, to]: readonly [string, string]) =>
          text.replace(from, to);
        const found = await mistakesOf(spoilt.reduce(spoil, GOOD));
        const alone = await Promise.all(spoilt.map((each) => mistakesOf(spoil(GOOD, each))));
        const bare = (text: string) => text.replace(/^\d+ /, '').replace(/\(there are .*\)/, '');
        expect(found.map(bare).sort()).toEqual(alone.flat().map(bare).sort());
        const lines = found.map((text) => Number(/^\d+/.exec(text)![0]));
        expect(lines).toEqual([...lines].sort((a, b) => a - b));
      }),
      { numRuns: runs(40, 500) },
    );
  });

  it('are told in a row, each with its line', async () => {
    const yaml = GOOD.replace('seed: 7', 'sed: 7').replace('rcut: 8.5', 'rcutt: 8.5');
    const lines = formatError(await failureOf(() => load(yaml))).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toContain("did you mean 'seed'?");
    expect(lines[3]).toContain("did you mean 'rcut'?");
  });

  it('are told up to a limit', async () => {
    const wrong = Array.from({ length: 3000 }, (_, k) => `  - unknown_${k}\n`).join('');
    const error = await failureOf(() => load(`${GOOD}analysis:\n${wrong}`));
    expect(error.more).toHaveLength(99);
  });
});
