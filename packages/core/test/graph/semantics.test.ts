import { describe, expect, it } from 'vitest';
import { runSimulation } from '../../src/graph/runSimulation.js';
import { operatorsOf } from '../../src/graph/Simulation.js';
import { failureOf, inFolder, load, logKey } from './fixture.js';

inFolder();

const logOf = async (text: string, others = {}, set: string[] = []): Promise<string[]> => {
  const { state } = await runSimulation(load(text, others, set));
  return state.find(logKey) ?? [];
};

/** What a file says, and what its operators say then. */
type Row = readonly [
  sentence: string,
  text: string,
  said: readonly string[],
  others?: Readonly<Record<string, string>>,
  set?: readonly string[],
];

const DYNAMICS = `
setup_system: [make_box: { length: 3 }]
compute_force: [pair_force: { rcut: 1 }]
`;

/** A set-up that tells of itself, and a run without steps. */
const TOLD_SETUP = `
global: { dt: 1, end_iteration: 0 }
setup_system: [make_box: { length: 3 }, say: { text: made }]
compute_force: nop
output: nop
`;

/** One row a sentence of how exaNBody's graph of operators works; where ours is another, the row says so. */
const table: readonly Row[] = [
  [
    'documents merge: maps recursively',
    'includes: a.yaml\nglobal: { text: over }\nsimulation: [say, say: { text: end }]',
    ['over', 'end'],
    { 'a.yaml': 'global: { text: base, frequency: 1 }' },
  ],
  [
    'scalars and lists are replaced',
    'includes: a.yaml\nwords: [say: { text: b }]\nsimulation: words',
    ['b'],
    { 'a.yaml': 'words: [say: { text: a }, say: { text: a }]' },
  ],
  [
    'a key +name appends to the list name',
    'includes: a.yaml\n+words: [say: { text: b }]\nsimulation: words',
    ['a', 'b'],
    { 'a.yaml': 'words: [say: { text: a }]' },
  ],
  [
    'includes are read depth-first',
    'includes: [a.yaml, c.yaml]\nsimulation: [say]',
    ['c'],
    {
      'a.yaml': 'includes: b.yaml\nsay: { text: a }',
      'b.yaml': 'say: { text: b }',
      'c.yaml': 'say: { text: c }',
    },
  ],
  [
    'the command line is merged last',
    'say: { text: file }\nsimulation: [say]',
    ['option'],
    {},
    ['say.text=option'],
  ],
  ['simulation names the root', 'root: [say: { text: r }]\nsimulation: root', ['r']],
  [
    'every other key is the default block of an operator',
    'say: { text: block }\nsimulation: [say]',
    ['block'],
  ],
  ['or a named batch', 'words: [say, say]\nsimulation: [words]', ['hello', 'hello']],
  ['a batch is a list of operators', 'simulation: [say, say: { text: b }]', ['hello', 'b']],
  ['or a map with a body', 'simulation: { body: [say] }', ['hello']],
  ['a body may be one operator', 'simulation: { body: say }', ['hello']],
  ['an unknown name with a body is a batch', 'simulation: [words: { body: [say] }]', ['hello']],
  ['a scalar value is an alias', 'speak: say\nsimulation: [speak]', ['hello']],
  ['nop disappears', 'simulation: [nop, say]', ['hello']],
  ['and empties a batch', 'words: nop\nsimulation: [words, say]', ['hello']],
  [
    'macros have parameters',
    "'tell(a, b)': [say: { text: a }, say: { text: 'b is ${b}' }]\nsimulation: ['tell(x, 2)', 'tell(y, 3)']",
    ['x', 'b is 2', 'y', 'b is 3'],
  ],
  [
    'macros may use macros',
    "'one(a)': [say: { text: a }]\n'two(a)': ['one(${a})', 'one(z)']\nsimulation: ['two(y)']",
    ['y', 'z'],
  ],
  [
    'and give them their own parameters, as unroll does',
    "'one(a, b)': [say: { text: '${a} ${b}' }]\n'two(a)': ['one(a, last)']\nsimulation: ['two(y)', { unroll: { k: [1, 2] }, body: ['one(k, x)'] }]",
    ['y last', '1 x', '2 x'],
  ],
  [
    'rebind renames at the boundary of a batch, inward',
    'global: { words: outer }\nsimulation: { rebind: { text: words }, body: [say] }',
    ['outer'],
  ],
  [
    'and outward',
    'global: { dt: 1, end_iteration: 3 }\nsimulation: [{ rebind: { continue: more }, body: [begin] }, { condition: more, body: [say] }]',
    ['hello'],
  ],
  [
    'a batch with a condition runs while it is true',
    'global: { on: true, off: false }\nsimulation: [{ condition: on, body: say }, { condition: off, body: say }]',
    ['hello'],
  ],
  [
    'not negates a condition',
    'global: { on: true }\nsimulation: [{ condition: not on, body: say }, { condition: "!on or true", body: say }]',
    ['hello'],
  ],
  [
    'conditions are expressions over slots and globals',
    'global: { dt: 1, end_iteration: 5, first: 3 }\nsimulation: [begin, { loop: true, condition: continue, body: [next_step, { condition: step >= first and step % 2 == 1, body: say }] }]',
    ['hello', 'hello'],
  ],
  ['loop repeats a batch', 'simulation: { loop: 2, body: [say] }', ['hello', 'hello']],
  [
    'a number of passes is an expression too',
    'global: { passes: 2 }\nsimulation: { loop: passes + 1, body: [say] }',
    ['hello', 'hello', 'hello'],
  ],
  [
    'the condition of a loop is tested before the first pass',
    'global: { dt: 1, end_iteration: 0 }\nsimulation: [begin, { loop: true, condition: continue, body: [say, next_step] }]',
    [],
  ],
  [
    'and after each',
    'global: { dt: 1, end_iteration: 2 }\nsimulation: [begin, { loop: true, condition: continue, body: [say, next_step] }]',
    ['hello', 'hello'],
  ],
  [
    'unroll writes the passes of a loop out: each has operators of its own',
    'simulation: { loop: 2, unroll: true, body: [next_frame] }',
    ['frame 1', 'frame 1'],
  ],
  [
    'unroll writes a body out for each of some values',
    "simulation: { unroll: { a: [x, y], n: [1, 2] }, body: [say: { text: a }, say: { text: '${a}${n}' }] }",
    ['x', 'x1', 'y', 'y2'],
  ],
  [
    'a slot is connected by name to the nearest output before',
    'global: { dt: 1, end_iteration: 3 }\nsimulation: [begin, next_step, next_step, { condition: continue, body: [say: { text: more }] }]',
    ['more'],
  ],
  [
    'else it rises to the batch around it, and to global',
    'global: { text: from far }\nsimulation: { body: [{ body: [say] }] }',
    ['from far'],
  ],
  ['what is given wins over global', 'global: { text: g }\nsimulation: [say: { text: i }]', ['i']],
  ['defaults come last', 'simulation: [say]', ['hello']],
  [
    'an INPUT_OUTPUT writes where it is connected: a global becomes a variable',
    'global: { dt: 1, end_iteration: 9 }\nsimulation: [scale_dt, scale_dt, { condition: dt == 4, body: [say] }]',
    ['hello'],
  ],
  [
    'a file extends a simulation by redefining a hook',
    `global: { dt: 1, end_iteration: 1 }${DYNAMICS}analysis: [say: { text: mine }]\nsimulation: dynamics`,
    ['force 1', 'hello', 'force 1', 'mine', 'hello'],
  ],
  [
    'a batch that comes along leaves the set-up out where it has run (exaNBody runs it again)',
    `${TOLD_SETUP}simulation: [setup_system, say: { text: between }, dynamics, dynamics]`,
    ['made', 'between'],
  ],
  [
    'also where the set-up is written in the list',
    `${TOLD_SETUP}simulation: [setup_system: [make_box: { length: 2 }], say: { text: between }, dynamics]`,
    ['between'],
  ],
  [
    'but not where a condition decides of it, or a loop begins anew',
    `${TOLD_SETUP}simulation: [{ condition: step > 0, body: setup_system }, dynamics, { loop: 2, body: setup_system }, dynamics]`,
    ['made', 'made', 'made'],
  ],
  [
    'and what a file writes twice runs twice',
    `${TOLD_SETUP}simulation: [setup_system, setup_system]`,
    ['made', 'made'],
  ],
  [
    'inline slots are merged with the default block, also through an alias (theirs replace it, or are lost)',
    'say: { text: block, frequency: 1 }\nspeak: say\nsimulation: [speak: { frequency: 2 }]',
    ['block'],
  ],
];

describe('the graph of operators', () => {
  for (const [sentence, text, said, others = {}, set = []] of table)
    it(sentence, async () => {
      expect(await logOf(text, others, [...set])).toEqual(said);
    });

  it('configuration holds for the whole run', () => {
    const { configuration } = load('configuration: { seed: 7, units: metal }\nsimulation: [say]');
    expect(configuration).toMatchObject({ seed: 7, deterministic: false });
  });

  it('quantities have units, and are expressions', () => {
    const simulation = load(
      'configuration: { units: metal }\nsimulation: [make_box: { length: 2 * 4.0 ang }, pair_force: { rcut: 0.5 nm }]',
    );
    const [box, force] = [...operatorsOf(simulation.root)];
    expect(box!.slots.get('length')).toMatchObject({ value: 8 });
    expect(force!.slots.get('rcut')).toMatchObject({ value: 5 });
  });

  it('name is what graphs call a batch', () => {
    const { root } = load('simulation: [{ name: mine, body: [say] }]');
    expect(root.body[0]).toMatchObject({ kind: 'batch', name: 'mine' });
  });
});

/** Where exaNBody is silent, or takes something else. */
const mistakes: readonly (readonly [sentence: string, text: string, code: string, at: string])[] = [
  [
    'task_group, which is parallel here',
    'simulation: { task_group: true, body: say }',
    'UNKNOWN_KEY',
    '1:15',
  ],
  ['an unknown slot', 'simulation: [say: { texd: a }]', 'UNKNOWN_KEY', '1:21'],
  [
    'an unknown option of the run',
    'configuration: { sed: 1 }\nsimulation: [say]',
    'UNKNOWN_KEY',
    '1:18',
  ],
  [
    'a wrong dimension',
    'configuration: { units: metal }\nsimulation: [make_box: { length: 2 ps }]',
    'WRONG_DIMENSION',
    '2:34',
  ],
  [
    'an unknown unit',
    'configuration: { units: metal }\nsimulation: [make_box: { length: 2 angg }]',
    'UNKNOWN_UNIT',
    '2:36',
  ],
  ['a required slot that nothing gives', 'simulation: [make_box]', 'MISSING_VALUE', '1:14'],
  [
    'a made-up name in a condition',
    'simulation: { condition: no_such, body: say }',
    'UNKNOWN_KEY',
    '1:26',
  ],
  ['a number as a condition', 'simulation: { condition: 1 + 1, body: say }', 'WRONG_TYPE', '1:26'],
  [
    'an expression that breaks off',
    'simulation: { condition: step >, body: say }',
    'SYNTAX',
    '1:32',
  ],
  [
    'a comparison of a time with a length',
    'configuration: { units: metal }\nsimulation: { condition: time > 1 ang, body: say }',
    'WRONG_DIMENSION',
    '2:31',
  ],
  ['a fraction of passes', 'simulation: { loop: 1 / 2, body: say }', 'WRONG_TYPE', '1:21'],
  [
    'a macro with too few values',
    "'t(a, b)': [say: { text: a }]\nsimulation: ['t(1)']",
    'INVALID_VALUE',
    '2:14',
  ],
  ['a macro that nobody has', "simulation: ['t(1)']", 'UNKNOWN_OPERATOR', '1:14'],
  ['a macro in itself', "'t(a)': ['t(${a})']\nsimulation: ['t(1)']", 'INVALID_VALUE', '1:10'],
  [
    'a value of a macro, at the use',
    "'t(a)': [make_box: { length: a }]\nsimulation: ['t(-1)']",
    'INVALID_VALUE',
    '2:17',
  ],
  [
    'an unrolled loop without end',
    'simulation: { loop: true, unroll: true, body: say }',
    'INVALID_VALUE',
    '1:15',
  ],
  [
    'lists of unlike length to unroll',
    'simulation: { unroll: { a: [1], b: [1, 2] }, body: say }',
    'INVALID_VALUE',
    '1:33',
  ],
];

describe('a mistake has its place:', () => {
  it.each(mistakes)('%s', async (_, text, code, at) => {
    const error = await failureOf(() => load(text));
    const { line, column } = error.location!;
    expect([error.code, `${line}:${column}`]).toEqual([code, at]);
    expect(error.more).toEqual([]);
  });
});
