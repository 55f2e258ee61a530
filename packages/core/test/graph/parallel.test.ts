import { expect, it } from 'vitest';
import { defineOperator } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { runSimulation } from '../../src/graph/runSimulation.js';
import { inFolder, registry } from './fixture.js';

inFolder();

/** What began and ended, in order. */
async function order(simulation: string, onOperator?: (path: string) => void): Promise<string[]> {
  const log: string[] = [];
  const slots = { name: { type: 'string', required: true, doc: 'its name' } } as const;
  const work = async (name: string) => {
    log.push(`${name}(`);
    // One that begins first ends last.
    await new Promise((resolve) => setTimeout(resolve, name === 'a' ? 20 : 1));
    log.push(`${name})`);
    if (name.startsWith('bad')) throw new Error(`${name} fails`);
  };
  const look = defineOperator({
    ...{ name: 'look', doc: 'Looks.', looksOnly: true },
    slots: { ...slots, seen: { type: 'number', direction: 'output', doc: 'what it saw' } },
    async execute({ slots, set }) {
      await work(slots.name);
      set('seen', 3);
    },
  });
  const change = defineOperator({
    ...{ name: 'change', doc: 'Changes things.', slots },
    execute: ({ slots }) => work(slots.name),
  });
  const read = defineOperator({
    ...{ name: 'read', doc: 'Reads what was seen.', looksOnly: true },
    slots: { seen: { type: 'number', required: true, doc: 'what was seen' } },
    execute: ({ slots }) => void log.push(`read ${slots.seen}`),
  });
  const operators = registry().add(look, change, read);
  const text = `simulation:\n  ${simulation}`;
  const loaded = loadSimulation([{ name: 'in.yaml', text }], { operators });
  await runSimulation(loaded, { onOperator: (_, __, path) => onOperator?.(path) }).catch(
    (error: Error) => log.push(error.message),
  );
  return log;
}

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

it('the first error of a parallel batch ends the run when all that has begun is done', async () => {
  const body = '[look: { name: a }, look: { name: bad1 }, look: { name: bad2 }]';
  const log = await order(`- { parallel: true, body: ${body} }`);
  expect(log.slice(0, 3)).toEqual(['a(', 'bad1(', 'bad2(']);
  expect(log).toContain('a)');
  expect(log.at(-1)).toMatch(/bad1 fails/);
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
