import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeCheckpoint } from '../../src/checkpoint/encodeCheckpoint.js';
import { findRestart } from '../../src/checkpoint/findRestart.js';
import { runCheckpoint } from '../../src/checkpoint/RunCheckpoint.js';
import type { Saved } from '../../src/checkpoint/Saved.js';
import { defineOperator } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { Registry } from '../../src/graph/Registry.js';
import { runSimulation } from '../../src/graph/runSimulation.js';
import type { Simulation } from '../../src/graph/Simulation.js';
import type { SimulationState } from '../../src/graph/SimulationState.js';
import { stateKey } from '../../src/graph/StateKey.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-resume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What operators did, by name and step. */
let log: string[] = [];
const note = (name: string, state: SimulationState) => log.push(`${name} ${state.step}`);
const boxKey = stateKey<{ size: number }>('box', 'put setup first');
const lineKey = stateKey<{ length: number }>('line', 'put draw first');

const setup = defineOperator({
  name: 'setup',
  doc: 'Makes what the keeper keeps.',
  slots: { size: { type: 'number', default: 1, doc: 'its size' } },
  provides: [boxKey],
  execute({ state, slots }) {
    note('setup', state);
    state.set(boxKey, { size: slots.size });
  },
});
const draw = defineOperator({
  name: 'draw',
  doc: 'Makes what no operator keeps.',
  slots: {},
  requires: [boxKey],
  provides: [lineKey],
  execute({ state }) {
    note('draw', state);
    state.set(lineKey, { length: state.get(boxKey).size });
  },
});
const tick = defineOperator({
  name: 'tick',
  doc: 'A step.',
  slots: {
    steps: { type: 'integer', required: true, mayChange: true, doc: 'when it ends' },
    more: { type: 'boolean', direction: 'output', doc: 'whether there are more' },
  },
  execute(context) {
    const { state, slots } = context;
    state.step++;
    state.time += 0.5;
    note('tick', state);
    context.set('more', state.step < slots.steps);
  },
});
const count = defineOperator({
  name: 'count',
  doc: 'Counts its calls.',
  slots: {},
  requires: [lineKey],
  prepare: () => ({ calls: new Float64Array(1), last: Number.NaN }),
  execute({ state, own }) {
    own.calls[0]!++;
    own.last = state.time;
    note(`count ${own.calls[0]}`, state);
  },
  save: ({ own }) => ({ calls: own.calls, last: own.last }),
  restore({ own }, saved) {
    own.calls.set(saved.calls);
    own.last = saved.last;
  },
  finish: ({ own, state }) => void note(`finish ${own.calls[0]}`, state),
});
const keep = defineOperator({
  name: 'keep',
  doc: 'Writes checkpoints.',
  slots: { file: { type: 'file', mode: 'write', default: 'run.ckpt', doc: 'their name' } },
  keeper: {
    save: (state) => ({ ...state.get(boxKey) }),
    create: (state, saved) => state.set(boxKey, { ...(saved as { size: number }) }),
    restore: (state) => void note('restored', state),
  },
  async execute({ state, saveRun, slots }) {
    if (state.step !== 2) return;
    const saved = runCheckpoint(state.simulation, {}, await saveRun());
    writeFileSync(
      state.output.resolve(slots.file.replace('.', '.2.')),
      Buffer.concat([...encodeCheckpoint(saved)]),
    );
  },
});

function load(body: string, more = 'tick: { steps: 4 }'): Simulation {
  const file = path.join(folder, 'in.yaml');
  writeFileSync(file, `${more}\nsimulation: ${body}\n`);
  return loadSimulation([file], { operators: new Registry().add(setup, draw, tick, count, keep) });
}
async function run(simulation: Simulation, restart = false): Promise<string[]> {
  log = [];
  await runSimulation(simulation, {
    outputDirectory: folder,
    restart: restart ? await findRestart(simulation, { outputDirectory: folder }) : null,
  });
  return log;
}
/** What a run does, and what one does that goes on from its checkpoint of step 2. */
async function both(body: string): Promise<{ whole: string[]; rest: string[] }> {
  const whole = await run(load(body));
  return { whole, rest: await run(load(body), true) };
}

describe('a run that goes on from a checkpoint', () => {
  it('runs operators that keep nothing, restores the others, and goes on after the one that saved', async () => {
    const { whole, rest } = await both(
      '[setup, draw, count, { loop: true, condition: more, body: [tick, keep, count] }, count]',
    );
    expect(whole).toEqual([
      ...['setup 0', 'draw 0', 'count 1 0', 'tick 1', 'count 1 1', 'tick 2', 'count 2 2'],
      ...['tick 3', 'count 3 3', 'tick 4', 'count 4 4', 'count 1 4'],
      ...['finish 1 4', 'finish 4 4', 'finish 1 4'],
    ]);
    expect(rest).toEqual([
      'draw 2',
      'restored 2',
      ...whole.slice(6, 11),
      'count 1 4',
      'finish 1 4',
      'finish 4 4',
      'finish 1 4',
    ]);
  });

  it('is in the same pass of loops inside loops', async () => {
    const inner = '{ loop: 2, body: [tick, [keep], count] }';
    const { whole, rest } = await both(`[setup, draw, { loop: 3, body: [count, ${inner}] }]`);
    expect(rest).toEqual(['draw 2', 'restored 2', ...whole.slice(whole.indexOf('tick 2') + 1)]);
    expect(whole.filter((entry) => entry.startsWith('tick'))).toHaveLength(6);
  });

  it('may be given another end', async () => {
    const body = '[setup, draw, { loop: true, condition: more, body: [tick, keep, count] }]';
    await run(load(body));
    const rest = await run(load(body, 'tick: { steps: 6 }'), true);
    expect(rest).toContain('count 6 6');
  });
});

describe('a checkpoint is refused', () => {
  const body = '[setup, draw, { loop: 4, body: [tick, keep, count] }]';
  const refused = async (other: string, more?: string) =>
    findRestart(load(other, more), { outputDirectory: folder }).then(
      () => 'taken',
      (error: Error) => error.message,
    );

  it('where values, operators, types or units are others, and says which', async () => {
    await run(load(body));
    expect(await refused(body)).toBe('taken');
    expect(
      await refused('[setup: { size: 2 }, draw, { loop: 4, body: [tick, keep, count] }]'),
    ).toMatch(/of another simulation: setup\.size is 2, and was 1; correct the input/);
    expect(await refused('[setup, draw, { loop: 5, body: [tick, keep, count] }]')).toMatch(
      /"loop":"5".* and was .*"loop":"4"/,
    );
    expect(await refused('[setup, draw, { loop: 4, body: [tick, count, keep] }]')).toMatch(
      /the operator is \S*count, and was \S*keep/,
    );
    expect(await refused('[setup, draw, { loop: 4, body: [tick, keep, count, count] }]')).toMatch(
      /the number of operators in the batch .* is 4, and was 3; .*corpuscle convert .*start\.xyz/,
    );
    const lines = (text: string) => refused(body, `tick: { steps: 4 }\n${text}`);
    expect(await lines('particle_types: { A: { mass: 1 } }')).toMatch(
      /particle_types is .*A.*, and was \[\]/,
    );
    expect(await lines('configuration: { seed: 7 }')).toMatch(/configuration\.seed is 7, and was /);
    expect(await lines('configuration: { units: metal }')).toMatch(/configuration\.units/);
  });

  it('where another generation of Corpuscle wrote it', async () => {
    const simulation = load(body);
    await run(simulation);
    const own = (await findRestart(simulation, { outputDirectory: folder }))!;
    const [major, minor] = own.corpuscle.split('.').map(Number) as [number, number];
    const checkpoint = path.join(folder, 'old.ckpt');
    const writtenBy = (corpuscle: string) => {
      const saved = { ...own, corpuscle } as unknown as Saved;
      writeFileSync(checkpoint, Buffer.concat([...encodeCheckpoint(saved)]));
      return findRestart(simulation, { checkpoint });
    };
    expect(await writtenBy(`${major}.${minor}.99`)).toMatchObject({ run: { step: 2 } });
    for (const other of [`${major}.${minor + 10}.0`, `${major + 1}.${minor}.0`])
      await expect(writtenBy(other)).rejects.toMatchObject({
        code: 'CHECKPOINT_MISMATCH',
        message: expect.stringContaining(`was written by Corpuscle ${other}, and this is`),
      });
  });

  it('if the file is no checkpoint, if there is none, or if no operator writes one', async () => {
    const simulation = load(body);
    const none = { checkpoint: path.join(folder, 'none.ckpt') };
    await expect(findRestart(simulation, none)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    const file = path.join(folder, 'other.ckpt');
    const forged = async (saved: Saved) => {
      writeFileSync(file, Buffer.concat([...encodeCheckpoint(saved)]));
      const restart = await findRestart(simulation, { checkpoint: file });
      return runSimulation(simulation, { outputDirectory: folder, restart });
    };
    await expect(forged({ step: 3 })).rejects.toMatchObject({ code: 'FILE_FORMAT' });
    const { run: saved, ...rest } = (await findRestart(simulation, { outputDirectory: folder }))!;
    for (const wrong of [
      { path: [9] },
      { path: [] },
      { called: [99] },
      { passes: [0] },
      { settled: [99] },
      { outputs: [1, 2, 3] },
      { step: 0.5 },
    ]) {
      const failure = forged({ ...rest, run: { ...saved, ...wrong } } as unknown as Saved);
      await expect(failure, JSON.stringify(wrong)).rejects.toMatchObject({ code: 'FILE_FORMAT' });
    }
    await expect(findRestart(load('[setup]'))).rejects.toMatchObject({ code: 'MISSING_VALUE' });
    expect(
      await findRestart(simulation, { outputDirectory: path.join(folder, 'empty') }),
    ).toBeNull();
  });
});
