import { describe, expect, it } from 'vitest';
import { defineOperator } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { runSimulation } from '../../src/graph/runSimulation.js';
import type { Need } from '../../src/graph/ScheduleSpec.js';
import { stateKey } from '../../src/graph/StateKey.js';
import { boxKey, failureOf, inFolder, logKey, registry, write } from './fixture.js';

inFolder();

const lastKey = stateKey<number>('last step', 'it is set by end_at');

/** Knows the last step of a run. */
const endAt = defineOperator({
  name: 'end_at',
  doc: 'Says at which step the run ends.',
  slots: { step: { type: 'integer', required: true, doc: 'the step' } },
  provides: [lastKey],
  execute({ slots, state }) {
    state.endStep = slots.step;
    state.set(lastKey, slots.step);
  },
});

/** Notes what is needed, as force operators ask for it. */
const ask = defineOperator({
  name: 'ask',
  doc: 'Asks what is needed.',
  slots: {},
  execute({ state }) {
    const names = (['energy', 'virial', 'particle_energies'] as Need[]).filter((need) =>
      state.isNeeded(need),
    );
    state.obtain(logKey, () => []).push(`${state.step}: ${names.join(' ')}`.trim());
  },
});

const frequency = { type: 'integer', min: 1, doc: 'steps between executions' } as const;

const table = defineOperator({
  name: 'table',
  doc: 'Reads energy and virial.',
  slots: { frequency, file: { type: 'file', mode: 'write', doc: 'where to' } },
  every: 'frequency',
  atEnd: true,
  needs: ['energy', 'virial'],
  prepare: ({ slots, state }) => {
    state.obtain(logKey, () => []).push('prepare table');
    return slots.file === undefined ? null : state.output.open(slots.file);
  },
  execute: ({ state }) => {
    state.obtain(logKey, () => []).push(`table ${state.step}`);
  },
});

const frame = defineOperator({
  name: 'frame',
  doc: 'Reads energies of particles if it writes them.',
  slots: {
    every_steps: frequency,
    start: frequency,
    energies: { type: 'boolean', doc: 'whether' },
  },
  every: 'every_steps',
  from: ({ start }) => start,
  needs: ({ energies }) => (energies ? ['particle_energies'] : []),
  requires: [boxKey],
  prepare: ({ state }) => {
    state.obtain(logKey, () => []).push(`prepare frame of ${state.get(boxKey).particles}`);
  },
  execute: () => {},
});

const rarer = defineOperator({
  name: 'rarer',
  doc: 'Lets others run less often later.',
  slots: { frequency: { type: 'integer', direction: 'output', doc: 'steps between executions' } },
  execute: ({ state, set }) => set('frequency', state.step > 3 ? 2 : 1),
});

const all = () => registry().add(endAt, ask, table, frame, rarer);
const logOf = async (text: string, signal?: AbortSignal): Promise<string[]> => {
  const { state } = await runSimulation(loadSimulation([write(text)], { operators: all() }), {
    signal,
  });
  return state.find(logKey) ?? [];
};

const GLOBAL = 'global: { dt: 1, end_iteration: 7 }\n';
const LOOP = 'loop: true, condition: continue, body:';

describe('needs', () => {
  it('are those of the operators that are due, through batches and rebinds', async () => {
    const text = `global: { dt: 1, end_iteration: 7, table_frequency: 3 }
output: [[{ rebind: { frequency: table_frequency }, body: [table] }]]
simulation: [begin, end_at: { step: 7 }, make_box: { length: 1 }, ask,
  { ${LOOP} [next_step, ask, output, [frame: { every_steps: 4, start: 1, energies: true }]] }]`;
    const log = (await logOf(text)).filter((line) => /^\d/.test(line));
    expect(log).toEqual([
      '0: energy virial', // the table stands in a loop, and is due in step 0
      '1: particle_energies',
      '2:',
      '3: energy virial',
      '4:',
      '5: particle_energies',
      '6: energy virial',
      '7: energy virial',
    ]);
  });

  it('cover several tables, and loops inside the loop', async () => {
    const text = `${GLOBAL}
simulation: [begin, { ${LOOP} [next_step, ask,
  table: { frequency: 4 }, { loop: 2, body: [table: { frequency: 6 }] }] }]`;
    const log = (await logOf(text)).filter((line) => / e/.test(line));
    expect(log).toEqual(['4: energy virial', '6: energy virial']);
  });

  it('outside loops are those of every operator there, in any step', async () => {
    const text = `${GLOBAL}
simulation: [begin, next_step, ask, table: { frequency: 4 }, { ${LOOP} [next_step, ask] }]`;
    const log = await logOf(text);
    expect(log.slice(0, 4)).toEqual(['1: energy virial', 'prepare table', 'table 1', '2:']);
  });

  it('of a repeated batch are those of a loop', async () => {
    const text = `${GLOBAL}
simulation: [next_frame: { loop: true }, next_step, ask, table: { frequency: 2 }]`;
    const log = await logOf(text);
    expect(log.filter((line) => /^table|:/.test(line))).toEqual([
      '1:',
      '2: energy virial',
      'table 2',
      '3:',
    ]);
  });
});

describe('an operator that runs sometimes', () => {
  const run = (step: number) => `${GLOBAL}
simulation: [begin, end_at: { step: ${step} }, { ${LOOP} [next_step, table: { frequency: 3 }] }]`;

  it('also runs in the last step', async () => {
    expect(await logOf(run(7))).toEqual(['prepare table', 'table 3', 'table 6', 'table 7']);
    expect(await logOf(run(6))).toEqual(['prepare table', 'table 3', 'table 6']);
  });

  it('also runs in the last step of an interrupted run', async () => {
    const controller = new AbortController();
    const { state } = await runSimulation(loadSimulation([write(run(7))], { operators: all() }), {
      signal: controller.signal,
      onProgress: ({ step }) => step === 4 && controller.abort(),
    });
    expect(state.get(logKey)).toEqual(['prepare table', 'table 3', 'table 5']);
  });

  it('follows a slot that another operator writes', async () => {
    const text = `${GLOBAL}
simulation: [begin, { ${LOOP} [next_step, rarer, say: { text: x }] }]`;
    // Every step up to 3, then every second one.
    expect(await logOf(text)).toEqual(['x', 'x', 'x', 'x', 'x']);
  });

  it.each([
    [{ every: 'nothing' as 'frequency' }, /every of odd is 'nothing', which is none of its slots/],
    [{ from: 'nothing' as 'frequency' }, /from of odd is 'nothing'/],
    [{ needs: ['virials' as Need] }, /odd needs 'virials': what operators can need is energy, /],
  ])('is refused when it declares what does not exist', (parts, message) => {
    const odd = defineOperator({
      name: 'odd',
      doc: 'Is odd.',
      slots: { frequency },
      ...parts,
      execute: () => {},
    });
    expect(() => registry().add(odd)).toThrow(message);
  });

  it('is refused when the function that says what it needs names what does not exist', async () => {
    const odd = defineOperator({
      name: 'odd',
      doc: 'Is odd.',
      slots: {},
      needs: () => ['virials' as Need],
      execute: () => {},
    });
    const file = write('simulation: [ask, odd]');
    const simulation = loadSimulation([file], { operators: all().add(odd) });
    expect(await failureOf(() => runSimulation(simulation))).toMatchObject({
      code: 'INVALID_VALUE',
      message: /odd needs 'virials'/,
    });
  });
});

describe('operators of a loop are prepared when it is entered', () => {
  it('before the first step, also those that are due later', async () => {
    const text = `${GLOBAL}
simulation: [begin, make_box: { length: 1 },
  { ${LOOP} [next_step, say: { frequency: 7 }, frame: { every_steps: 5 }, [table]] }]`;
    const log = await logOf(text);
    expect(log.slice(0, 2)).toEqual(['prepare frame of 1', 'prepare table']);
    expect(log.filter((line) => line.startsWith('prepare'))).toHaveLength(2);
  });

  it('but not before the state entries that they require exist', async () => {
    const text = 'simulation: [{ loop: 2, body: [table, make_box: { length: 1 }, frame] }]';
    const log = await logOf(text);
    expect(log).toEqual(['prepare table', 'table 0', 'prepare frame of 1', 'table 0']);
  });

  it('and not where the batch they stand in does not run', async () => {
    const text = (condition: string) =>
      `global: { on: ${condition} }\nsimulation: [{ loop: 2, body: [ask, { condition: on, body: [table] }] }]`;
    expect(await logOf(text('false'))).toEqual(['0:', '0:']);
    expect(await logOf(text('true'))).toEqual([
      '0: energy virial',
      'prepare table',
      'table 0',
      '0: energy virial',
      'table 0',
    ]);
  });

  it('and not in a loop without a pass', async () => {
    expect(await logOf('simulation: [{ loop: 0, body: [table] }]')).toEqual([]);
  });
});
