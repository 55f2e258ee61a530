import { describe, expect, it } from 'vitest';
import { defineOperator } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { runSimulation } from '../../src/graph/runSimulation.js';
import type { SlotSpecs } from '../../src/graph/SlotSpec.js';
import { stateKey } from '../../src/graph/StateKey.js';
import { inFolder, registry } from './fixture.js';

inFolder();

const slots = { name: { type: 'string', required: true, doc: 'its name' } } as const;
const seen = { type: 'number', direction: 'output', doc: 'what it saw' } as const;
const entryKey = stateKey<number>('entry', 'put enter first');

/** A world of operators that log when they begin and end. */
function world(log: string[]) {
  const work = async (name: string, say: (text: string) => void) => {
    log.push(`${name}(`);
    // One that begins first ends last: it takes more turns of the event loop.
    for (let turns = name.startsWith('a') ? 100 : 2; turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
    log.push(`${name})`);
    say(`${name} says`);
    if (name.startsWith('bad')) throw new Error(`${name} fails`);
  };
  const operator = (name: string, more: object = {}, own: SlotSpecs = {}) =>
    defineOperator({
      ...{ name, doc: 'Works.', slots: { ...slots, ...own } },
      async execute({ slots, state, set }) {
        await work(slots.name as string, (text) => state.say(text));
        if ('seen' in own) (set as (name: string, value: number) => void)('seen', 3);
      },
      ...more,
    });
  const fields = { field: { type: 'string', required: true, doc: 'which' } } as const;
  const fieldOf = ({ field }: { readonly field?: unknown }) => [field as string];
  return registry().add(
    operator('look', { writes: [] }, { seen }),
    operator('change'),
    operator('write_field', { writes: fieldOf, reads: [] }, fields),
    operator('read_field', { writes: [], reads: fieldOf }, fields),
    operator('enter', { writes: [], provides: [entryKey] }),
    operator('look_up', { writes: [], requires: [entryKey] }),
    defineOperator({
      ...{ name: 'read', doc: 'Reads what was seen.', writes: [] },
      slots: { seen: { type: 'number', required: true, doc: 'what was seen' } },
      execute: ({ slots }) => void log.push(`read ${slots.seen}`),
    }),
    defineOperator({
      ...{ name: 'tell', doc: 'Says a text.', writes: [] },
      slots: { text: { type: 'template', required: true, doc: 'the text' } },
      execute: ({ slots, state }) => void log.push(slots.text.text(state)),
    }),
  );
}

/** What began and ended, in order; with `said` what was said instead. */
async function order(
  simulation: string,
  onOperator?: (path: string, milliseconds: number) => void,
  said?: string[],
): Promise<string[]> {
  const log: string[] = [];
  const text = `simulation:\n  ${simulation}`;
  const loaded = loadSimulation([{ name: 'in.yaml', text }], { operators: world(log) });
  await runSimulation(loaded, {
    onOperator: (_, milliseconds, path) => onOperator?.(path, milliseconds),
    onMessage: (line) => said?.push(line),
  }).catch((error: Error) => log.push(error.message));
  return log;
}

/** The same for the items of a parallel batch. */
const together = (items: string, said?: string[]): Promise<string[]> =>
  order(`- { parallel: true, body: [${items}] }`, undefined, said);

it('operators that only look run beside each other in a parallel batch', async () => {
  const body = '[look: { name: a }, look: { name: b }]';
  expect(await order(`- { body: ${body} }`)).toEqual(['a(', 'a)', 'b(', 'b)']);
  expect(await order(`- { parallel: true, body: ${body} }`)).toEqual(['a(', 'b(', 'b)', 'a)']);
  expect(await order(`- { parallel: true, loop: 2, body: ${body} }`)).toEqual([
    ...['a(', 'b(', 'b)', 'a)'],
    ...['a(', 'b(', 'b)', 'a)'],
  ]);
});

it('what changes something runs in its order, and so does what reads an output', async () => {
  const around = '[look: { name: a }, change: { name: b }, look: { name: c }]';
  expect(await order(`- { parallel: true, body: ${around} }`)).toEqual([
    ...['a(', 'a)', 'b(', 'b)', 'c(', 'c)'],
  ]);
  expect(await order('- { parallel: true, body: [look: { name: a }, read] }')).toEqual([
    ...['a(', 'a)', 'read 3'],
  ]);
});

it('a batch that is not profiled counts as a whole', async () => {
  const told: string[] = [];
  const inner = '{ name: quiet, profiling: false, body: [look: { name: b }, look: { name: c }] }';
  await order(`- look: { name: a }\n  - ${inner}`, (path) => told.push(path));
  expect(told).toEqual(['look', 'quiet', 'quiet']);
});

it.each([
  ['{ parallel: 2, body: [look: { name: a }] }', /parallel is 2: give true or false/],
  ['{ profiling: no way, body: [look: { name: a }] }', /profiling is the text 'no way'/],
])('%s is a mistake', async (batch, message) => {
  await expect(order(`- ${batch}`)).rejects.toThrow(message);
});

describe('branches of a parallel batch', () => {
  it.each([
    ['other fields', 'write_field: { name: a, field: vx }, write_field: { name: b, field: mass }'],
    [
      'a field and a look at another',
      'write_field: { name: a, field: vx }, read_field: { name: b, field: fx }',
    ],
    ['batches', '[look: { name: a }], [look: { name: b }]'],
    ['an entry, and none', 'enter: { name: a }, look: { name: b }'],
  ])('%s go beside each other', async (_, items) => {
    expect(await together(items)).toEqual(['a(', 'b(', 'b)', 'a)']);
  });

  it.each([
    ['the same field', 'write_field: { name: a, field: q }, write_field: { name: b, field: q }'],
    [
      'fields of one block',
      'write_field: { name: a, field: vx }, write_field: { name: b, field: vy }',
    ],
    [
      'a field and its reader',
      'write_field: { name: a, field: q }, read_field: { name: b, field: q }',
    ],
    [
      'a reader and its field',
      'read_field: { name: a, field: q }, write_field: { name: b, field: q }',
    ],
    ['any field', 'look: { name: a }, write_field: { name: b, field: q }'],
    ['an entry and its reader', 'enter: { name: a }, look_up: { name: b }'],
    ['what does not say what it writes', 'look: { name: a }, change: { name: b }'],
    ['batches with such', '[look: { name: a }], [change: { name: b }]'],
  ])('%s keep their order', async (_, items) => {
    expect(await together(items)).toEqual(['a(', 'a)', 'b(', 'b)']);
  });

  it('a branch keeps its own order, and waits for those that it depends on alone', async () => {
    const log = await together(
      '[look: { name: a }, look: { name: a2 }], look: { name: b }, [write_field: { name: c, field: q }]',
    );
    expect(log).toEqual(['a(', 'b(', 'b)', 'a)', 'a2(', 'a2)', 'c(', 'c)']);
    expect(await together('look: { name: a }, enter: { name: b }, look_up: { name: c }')).toEqual([
      'a(',
      'b(',
      'b)',
      'c(',
      'c)',
      'a)',
    ]);
  });

  it('texts and conditions wait for the outputs that they read', async () => {
    expect(await together("look: { name: a }, tell: { text: 'saw {seen}' }")).toEqual([
      ...['a(', 'a)', 'saw 3'],
    ]);
    expect(
      await together('look: { name: a }, { condition: seen > 2, body: [look: { name: b }] }'),
    ).toEqual(['a(', 'a)', 'b(', 'b)']);
  });

  it('loops and conditions inside are those of the branch', async () => {
    const log = await together(
      '{ loop: 3, body: [look: { name: b }] }, look: { name: a }, { condition: false, body: [look: { name: c }] }',
    );
    expect(log).toEqual(['b(', 'a(', ...['b)', 'b(', 'b)', 'b(', 'b)'], 'a)']);
  });

  it('what branches say comes in the order of the file', async () => {
    const said: string[] = [];
    await together('[look: { name: a }, look: { name: a2 }], look: { name: b }', said);
    expect(said).toEqual(['a says', 'a2 says', 'b says']);
  });

  it('an error lets the others end, begins none, and loses none', async () => {
    const said: string[] = [];
    const log = await together(
      'look: { name: a }, look: { name: bad1 }, look: { name: bad2 }, change: { name: c }',
      said,
    );
    expect(log).toEqual(['a(', 'bad1(', 'bad2(', 'bad1)', 'bad2)', 'a)', expect.anything()]);
    expect(log.at(-1)).toMatch(/bad1 fails/);
    expect(said.at(-1)).toMatch(
      /^a branch beside the one that failed has failed too: .*bad2 fails/,
    );
  });

  it('times of operators that run beside each other add up to the time that passes', async () => {
    let sum = 0;
    const begin = performance.now();
    await order(
      '- { parallel: true, body: [look: { name: a }, look: { name: a2 }] }',
      (_, time) => {
        sum += time;
      },
    );
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(performance.now() - begin);
  });
});
