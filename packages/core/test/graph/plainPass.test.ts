import { describe, expect, it, vi } from 'vitest';
import { defineOperator, type OperatorSpec } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { runSimulation } from '../../src/graph/runSimulation.js';
import type { SlotSpecs } from '../../src/graph/SlotSpec.js';
import { dimensions } from '../../src/units/dimensions.js';
import { inFolder, logKey, registry, write } from './fixture.js';

inFolder();

/** An operator that says when it is executed, and by its calls when they are replayed. */
const worker = (name: string, more: Partial<OperatorSpec<SlotSpecs, unknown>> = {}) =>
  defineOperator<SlotSpecs, unknown>({
    name,
    doc: 'Works.',
    slots: {},
    calls: ({ state }) => [{ run: () => state.obtain(logKey, () => []).push(`${name}!`) }],
    execute: ({ state }) => {
      state.obtain(logKey, () => []).push(name);
    },
    ...more,
  });

const frequency = { type: 'integer', min: 1, doc: 'steps' } as const;
let isCurrent = true;
let mayWait = true;
const closed: number[] = [];
/** First and last steps that were made as one. */
const runs: [number, number][] = [];

const operators = () =>
  registry().add(
    worker('push'),
    worker('force'),
    worker('kick'),
    worker('slow', {
      execute: async ({ state }) => {
        await Promise.resolve();
        state.obtain(logKey, () => []).push('slow');
      },
    }),
    worker('look', { calls: undefined, slots: { frequency }, every: 'frequency' }),
    worker('read', {
      calls: undefined,
      slots: { frequency },
      every: 'frequency',
      needs: ['virial'],
    }),
    worker('never', { calls: () => null }),
    worker('connected', {
      slots: { dt: { type: 'quantity', dimension: dimensions.time, doc: 'from scale_dt' } },
    }),
    worker('bond', {
      calls: undefined,
      slots: { frequency },
      every: 'frequency',
      execute: ({ state }) => state.renewCalls(),
    }),
    defineOperator({
      name: 'tick',
      doc: 'Counts.',
      slots: {},
      hostOnly: true,
      execute: ({ state }) => {
        state.step++;
      },
    }),
    defineOperator({
      name: 'fuse',
      doc: 'Fuses.',
      slots: {},
      execute: ({ state }) => {
        state.fuseStep = (calls) => ({
          isCurrent: () => isCurrent,
          mayWait,
          run(first, last) {
            runs.push([first, last]);
            for (let k = first; k <= last; k++) for (const call of calls) call.run();
            return state.step % 2 === 0 ? Promise.resolve() : undefined;
          },
          close: () => closed.push(state.step),
        });
      },
    }),
  );

/** What happens in every pass of a loop. */
async function passesOf(body: string, passes = 5): Promise<string[]> {
  const file = write(`simulation: [fuse, { loop: ${passes}, body: [tick, ${body}] }]`);
  const { state } = await runSimulation(loadSimulation([file], { operators: operators() }));
  return state.get(logKey);
}

describe('the plain pass of a loop', () => {
  it('runs operator by operator twice, then as a whole', async () => {
    expect(await passesOf('push, force, slow, kick', 4)).toEqual([
      ...['push', 'force', 'slow', 'kick'],
      ...['push', 'force', 'slow', 'kick'],
      ...['push!', 'force!', 'slow!', 'kick!'],
      ...['push!', 'force!', 'slow!', 'kick!'],
    ]);
  });

  it('is whole also where another operator runs after it, and not where one runs inside', async () => {
    expect(await passesOf('push, force, look: { frequency: 4 }', 4)).toEqual([
      ...['push', 'force', 'push', 'force', 'push!', 'force!', 'push!', 'force!', 'look'],
    ]);
    expect(await passesOf('push, look: { frequency: 4 }, force', 5)).toEqual([
      ...['push', 'force', 'push', 'force', 'push!', 'force!', 'push', 'look', 'force'],
      ...['push!', 'force!'],
    ]);
  });

  it('waits until something may look at particles: steps in a row are one', async () => {
    // On a machine that is busy with other work a run might stop in between to look for signals.
    let now = 0;
    using _ = vi.spyOn(performance, 'now').mockImplementation(() => ++now / 1000);
    runs.length = 0;
    await passesOf('push, force, look: { frequency: 10 }, kick', 25);
    // Each is made before the step in which `look` comes between, and the last ones in the end.
    expect(runs).toEqual([
      [3, 9],
      [11, 19],
      [21, 25],
    ]);
    runs.length = 0;
    await passesOf('push, force', 200);
    expect(runs).toEqual([
      [3, 66],
      [67, 130],
      [131, 194],
      [195, 200],
    ]);
  });

  it('does not wait where a call looks at the moment', async () => {
    runs.length = 0;
    mayWait = false;
    await passesOf('push, force', 5);
    mayWait = true;
    expect(runs).toEqual([
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
  });

  it('runs operator by operator in steps in which something is needed', async () => {
    expect(await passesOf('push, force, read: { frequency: 4 }', 5)).toEqual([
      ...['push', 'force', 'push', 'force', 'push!', 'force!'],
      ...['push', 'force', 'read', 'push!', 'force!'],
    ]);
  });

  it('does not exist where an operator always comes between', async () => {
    const each = ['push', 'never', 'kick'];
    expect(await passesOf('push, never, kick', 3)).toEqual([...each, ...each, ...each]);
    const inner = ['push', 'look', 'kick'];
    const text = 'push, [{ condition: true, body: look }], kick';
    expect(await passesOf(text, 3)).toEqual([...inner, ...inner, ...inner]);
  });

  it('is made anew when calls are renewed or have changed', async () => {
    closed.length = 0;
    expect(await passesOf('push, force, bond: { frequency: 4 }', 6)).toEqual([
      ...['push', 'force', 'push', 'force', 'push!', 'force!', 'push!', 'force!'],
      ...['push', 'force', 'push!', 'force!'],
    ]);
    expect(closed).toEqual([5, 6]); // in the fifth step, when its plan is looked for, and at the end
    isCurrent = false;
    const each = ['push', 'force'];
    expect(await passesOf('push, force', 4)).toEqual([...each, ...each, ...each, ...each]);
    isCurrent = true;
  });

  it('leaves out operators whose slots others write', async () => {
    const text = 'scale_dt: { dt: 1 }, push, connected, kick';
    const each = ['push', 'connected', 'kick'];
    expect(await passesOf(text, 3)).toEqual([...each, ...each, ...each]);
  });
});
