import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defineOperator,
  type OperatorContext,
  type OperatorDefinition,
  type OperatorSpec,
} from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { Registry } from '../../src/graph/Registry.js';
import { type RunOptions, runSimulation } from '../../src/graph/runSimulation.js';
import type { Need } from '../../src/graph/ScheduleSpec.js';
import type { SimulationState } from '../../src/graph/SimulationState.js';
import type { SlotSpecs } from '../../src/graph/SlotSpec.js';
import { inFolder, logKey, write } from './fixture.js';

inFolder();

/** How often operators of the host were executed, pass by pass or many passes at once. */
let ticks: number[] = [];
let tocks: number[] = [];
/** Where a run is interrupted. */
let interruption = new AbortController();

const integer = { type: 'integer', min: 0, doc: 'steps' } as const;
const log = (state: SimulationState): string[] => state.obtain(logKey, () => []);

type Context = OperatorContext<SlotSpecs, unknown>;

/** Works on particles, as its variant and the present needs say; alone, or as a part of a step that is made as one. */
function worker(
  name: string,
  more: Partial<OperatorSpec<SlotSpecs, unknown>> = {},
): OperatorDefinition {
  const workOf = (context: Context) => {
    const needed = [...context.state.needsNow()].join(' ');
    const variant = more.variant?.(context) ?? 0;
    return (step: number) => void log(context.state).push(`${name}${variant} ${needed} @${step}`);
  };
  return defineOperator<SlotSpecs, unknown>({
    name,
    doc: 'Works.',
    slots: {},
    calls: (context) => [{ run: workOf(context) as () => unknown }],
    execute: (context) => {
      workOf(context)(context.state.step);
      if (more.doesMore?.(context)) log(context.state).push(`${name} more @${context.state.step}`);
    },
    ...more,
  });
}

/** Looks at particles in some steps. */
const look = (name: string, needs: readonly Need[], atEnd: boolean): OperatorDefinition =>
  defineOperator({
    name,
    doc: 'Looks.',
    slots: { every: integer, from: integer },
    every: 'every',
    from: 'from',
    atEnd,
    needs,
    execute: ({ state }) => void log(state).push(`${name} @${state.step} ${state.time}`),
  });

const everyOf = ({ slots }: Context): number => slots.every as number;
const hasTurn = (context: Context): boolean => context.state.step % everyOf(context) === 0;
const turnsUntil = (context: Context): number => {
  const { step } = context.state;
  return hasTurn(context) ? step + 1 : step + everyOf(context) - (step % everyOf(context));
};
const inTurn = {
  slots: { every: { ...integer, min: 1, default: 1 } },
  variant: (context: Context) => (hasTurn(context) ? 1 : 0),
} as const;

const advance = ({ state }: Pick<Context, 'state'>, times: number): void => {
  state.step += times;
  state.time = 0.1 * state.step;
  ticks.push(times);
};

const goOn = {
  type: 'boolean',
  direction: 'output',
  doc: 'whether there are steps to do',
} as const;
const tocked = (context: Context, times: number): void => {
  const { state } = context;
  tocks.push(times);
  context.set('continue', state.step < state.endStep!);
  state.reportProgress();
};

const operators = () =>
  new Registry().add(
    worker('push'),
    worker('force'),
    worker('bath', { ...inTurn, steadyUntil: turnsUntil }),
    worker('rough_bath', inTurn),
    worker('bias', {
      slots: inTurn.slots,
      doesMore: hasTurn,
      needs: (slots, { step }) => (step % (slots.every as number) === 0 ? ['virial_diagonal'] : []),
      steadyUntil: turnsUntil,
    }),
    look('look', [], false),
    look('table', ['energy', 'virial'], true),
    look('dump', ['particle_energies'], false),
    defineOperator({
      name: 'stop',
      doc: 'Interrupts the run.',
      slots: { from: integer },
      every: 1000,
      from: 'from',
      execute: () => interruption.abort(),
    }),
    defineOperator({
      name: 'tick',
      doc: 'Begins a step.',
      slots: {},
      hostOnly: true,
      execute: (context) => advance(context, 1),
      executeMany: advance,
    }),
    defineOperator({
      name: 'wait',
      doc: 'Does nothing on the host.',
      slots: {},
      hostOnly: true,
      execute: () => Promise.resolve(),
    }),
    defineOperator({
      name: 'glance',
      doc: 'Looks at the clock.',
      slots: {},
      every: () => 1,
      hostOnly: () => true,
      steadyUntil: () => Number.POSITIVE_INFINITY,
      execute: () => {},
      executeMany: () => {},
    }),
    defineOperator({
      name: 'rough_tick',
      doc: 'Begins a step.',
      slots: {},
      hostOnly: true,
      execute: (context) => advance(context, 1),
    }),
    defineOperator({
      name: 'tock',
      doc: 'Ends a step.',
      slots: { continue: { ...goOn, direction: 'input_output' } },
      hostOnly: ({ state }) => state.step < state.endStep!,
      steadyUntil: ({ state }) => state.endStep!,
      execute: (context) => tocked(context as unknown as Context, 1),
      executeMany: (context, times) => tocked(context as unknown as Context, times),
    }),
    defineOperator({
      name: 'begin',
      doc: 'Begins a run of so many steps.',
      slots: { steps: integer, continue: goOn },
      execute({ slots, state, set }) {
        state.endStep = state.step + slots.steps!;
        set('continue', slots.steps! > 0);
      },
    }),
    defineOperator({
      name: 'fuse',
      doc: 'Fuses.',
      slots: { shared: { type: 'boolean', default: false, doc: 'whether others wait for it' } },
      execute({ slots, state }) {
        state.fuseStep = (calls) => ({
          mayWait: true,
          isShared: slots.shared as boolean,
          isCurrent: () => true,
          run(first, last) {
            for (let step = first; step <= last; step++)
              for (const { run } of calls) (run as (step: number) => void)(step);
            return last % 2 === 0 ? Promise.resolve() : undefined;
          },
          close: () => {},
        });
      },
    }),
  );

/** What is done with particles, and where the run is in the end. */
async function workOf(
  text: string,
  { setting = '', ...options }: RunOptions & { setting?: string } = {},
): Promise<readonly string[]> {
  [ticks, tocks] = [[], []];
  interruption = new AbortController();
  const file = write(`simulation: [${setting}${text}]`);
  const { state, status } = await runSimulation(
    loadSimulation([file], { operators: operators() }),
    { ...options, signal: interruption.signal },
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return [...log(state), `${status} ${state.step} ${state.time} ${sum(ticks)} ${sum(tocks)}`];
}

const fused = { setting: 'fuse, ' };
const loop = (body: string, condition = 'continue') =>
  `{ loop: true, condition: ${condition}, body: [tick, ${body}, tock] }`;

describe('quiet passes of a loop', () => {
  it('are taken as one up to the next operator that is due', async () => {
    await workOf(`begin: { steps: 70 }, ${loop('push, force, look: { every: 30 }')}`, fused);
    // At first operators are executed, then a pass as a whole; those before the steps 30, 60 and 70 are taken at once.
    expect(ticks.slice(0, 4)).toEqual([1, 1, 1, 16]);
    let step = 0;
    const ends = ticks.map((times) => (step += times));
    for (const due of [30, 60, 70]) expect(ends).toEqual(expect.arrayContaining([due - 1, due]));
    expect(tocks).toEqual(ticks);
  });

  it('are no more than the loop has', async () => {
    const work = await workOf('{ loop: 25, body: [tick, push] }', fused);
    expect(work.at(-1)).toBe('completed 25 2.5 25 0');
    expect(ticks.slice(0, 5)).toEqual([1, 1, 1, 16, 1]);
  });

  it('are there where an operator in every step only looks at the clock', async () => {
    await workOf('{ loop: 50, body: [tick, push, glance] }', fused);
    expect(ticks.slice(0, 4)).toEqual([1, 1, 1, 16]);
  });

  it.each([0, 3, 1020])(
    'end in the same steps where others wait for them: after %d',
    async (before) => {
      const earlier = `begin: { steps: ${before} }, ${loop('push')}`;
      await workOf(`${earlier}, begin: { steps: 5000 }, ${loop('push')}`, {
        setting: 'fuse: { shared: true }, ',
      });
      let step = 0;
      const ends = ticks.map((times) => (step += times)).filter((_, k) => ticks[k]! > 100);
      for (const end of [2048, 3072, 4096]) expect(ends).toContain(end);
      expect(ticks.length).toBeLessThan(30);
    },
  );

  it('end with the step after which a run is interrupted', async () => {
    const text = `begin: { steps: 500 }, ${loop('push, table: { every: 400 }')}`;
    const work = await workOf(text, { ...fused, stopAfter: 123 });
    expect(work).toEqual(await workOf(text, { stopAfter: 123 }));
    expect(work.at(-2)).toMatch(/^table @124 /);
    expect(ticks.length).toBe(124);
  });

  it('are told of as often as they are', async () => {
    const calls = new Map<string, number>();
    const onOperator = (name: string, _ms: number, _path: string, times: number) =>
      calls.set(name, (calls.get(name) ?? 0) + times);
    await workOf(`begin: { steps: 200 }, ${loop('push')}`, { ...fused, onOperator });
    expect([calls.get('tick'), calls.get('tock')]).toEqual([200, 200]);
    expect(ticks.length).toBeLessThan(200);
  });

  it.each([
    ['an operator does not say what many executions do', 'rough_tick, push'],
    ['an operator does not say how long it is the same', 'tick, push, rough_bath'],
    ['a pass is two steps', 'tick, tick, push'],
    [
      'a batch has a condition',
      'tick, push, [{ condition: step > 5, body: [look: { every: 50 }] }]',
    ],
  ])('are not there where %s', async (_, body) => {
    await workOf(`{ loop: 90, body: [${body}] }`, fused);
    expect(new Set(ticks)).toEqual(new Set([1]));
  });

  it('are not there where the condition of the loop looks at the step', async () => {
    const work = await workOf('{ loop: true, condition: step < 90, body: [tick, push] }', fused);
    expect(work.at(-1)).toBe('completed 90 9 90 0');
    expect(ticks).toEqual(new Array(90).fill(1));
  });
});

describe('passes taken as one', () => {
  const slots = fc
    .record({ every: fc.integer({ min: 0, max: 70 }), from: fc.integer({ min: 0, max: 120 }) })
    .map(({ every, from }) => `{ every: ${every}, from: ${from} }`);
  const turn = fc.constantFrom(1, 1, 2, 7, 40).map((every) => `{ every: ${every} }`);
  const timed = fc
    .tuple(fc.constantFrom('look', 'table', 'dump'), slots)
    .map(([name, given]) => `${name}: ${given}`);
  const acting = fc
    .tuple(fc.constantFrom('bath', 'bath', 'bath', 'bias', 'rough_bath'), turn)
    .map(([name, given]) => `${name}: ${given}`);
  const rare = fc.oneof(
    fc.constantFrom('wait', '[{ condition: step > 50, body: [look: { every: 1 }] }]'),
    fc.integer({ min: 0, max: 150 }).map((from) => `stop: { from: ${from} }`),
  );
  const item = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('push', 'force') },
    { weight: 3, arbitrary: timed },
    { weight: 1, arbitrary: acting },
    {
      weight: 1,
      arbitrary: fc.oneof({ weight: 3, arbitrary: timed }, { weight: 1, arbitrary: rare }),
    },
  );
  const body = fc.array(item, { minLength: 1, maxLength: 5 }).map((items) => items.join(', '));
  const run = fc
    .tuple(
      body,
      fc.integer({ min: 0, max: 250 }),
      fc.constantFrom('continue', 'continue', 'continue and step < 90'),
    )
    .map(([items, steps, condition]) => `begin: { steps: ${steps} }, ${loop(items, condition)}`);
  const counted = fc
    .tuple(body, fc.integer({ min: 0, max: 120 }))
    .map(([items, passes]) => `{ loop: ${passes}, body: [tick, ${items}] }`);
  const nested = fc
    .tuple(body, fc.oneof(run, counted))
    .map(([items, inner]) => `{ loop: 3, body: [${items}, ${inner}] }`);
  const simulation = fc
    .array(fc.oneof(run, counted, nested), { minLength: 1, maxLength: 2 })
    .map((parts) => `begin: { steps: 1000 }, ${parts.join(', ')}`);

  it('do the same work in the same order as passes one by one', async () => {
    let taken = 0;
    const property = fc.asyncProperty(simulation, async (text) => {
      const expected = await workOf(text);
      expect(await workOf(text, fused)).toEqual(expected);
      if (ticks.some((times) => times > 1)) taken++;
    });
    await fc.assert(property, { numRuns: 200 });
    expect(taken).toBeGreaterThan(60);
  });
});
