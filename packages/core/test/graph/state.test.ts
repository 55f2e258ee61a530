import { describe, expect, it } from 'vitest';
import { runSimulation } from '../../src/graph/runSimulation.js';
import { SimulationState } from '../../src/graph/SimulationState.js';
import { type StateKey, stateKey } from '../../src/graph/StateKey.js';
import { OutputFolder } from '../../src/io/OutputFolder.js';
import { boxKey, inFolder, load, logKey } from './fixture.js';

inFolder();

const newState = (): SimulationState =>
  new SimulationState({
    simulation: load('simulation: say'),
    context: null,
    output: new OutputFolder(),
  });

describe('entries of the state', () => {
  it('are the same for all keys of one name, made by stateKey or written by hand', () => {
    const state = newState();
    state.set(logKey, ['a']);
    const again = stateKey<string[]>('log', 'another text');
    const byHand: StateKey<string[]> = { name: 'log', doc: 'without a number' };
    expect(state.get(again)).toEqual(['a']);
    expect(state.get(byHand)).toEqual(['a']);
    state.set(byHand, ['b']);
    expect(state.find(logKey)).toEqual(['b']);
    expect(state.obtain({ ...again }, () => [])).toEqual(['b']);
  });

  it('belong to one state, and are none until they are set', () => {
    const [one, other] = [newState(), newState()];
    one.set(boxKey, { particles: 3 });
    expect(other.find(boxKey)).toBeUndefined();
    expect(() => other.get(boxKey)).toThrow('there is no box yet, the particles: put make_box');
    expect(other.obtain(boxKey, () => ({ particles: 4 }))).toEqual({ particles: 4 });
    expect(one.get(boxKey).particles).toBe(3);
  });
});

describe('an interruption', () => {
  it('outside loops ends the run between two operators, in batches of batches too', async () => {
    const controller = new AbortController();
    const { state, status } = await runSimulation(
      load(
        'global: { dt: 1, end_iteration: 9 }\nsimulation: [next_step, [next_step, [next_step, next_step]], next_step]',
      ),
      { signal: controller.signal, onProgress: ({ step }) => step === 3 && controller.abort() },
    );
    expect([status, state.step]).toEqual(['interrupted', 3]);
  });

  it('inside a loop lets batches of batches finish, and skips what follows the loop', async () => {
    const controller = new AbortController();
    const { state, status } = await runSimulation(
      load(
        'global: { dt: 1, end_iteration: 99 }\nsimulation: [{ loop: 9, body: [next_step, [next_step, [next_step]]] }, next_step]',
      ),
      { signal: controller.signal, onProgress: ({ step }) => step === 4 && controller.abort() },
    );
    expect([status, state.step]).toEqual(['interrupted', 9]);
  });
});

describe('batches of batches', () => {
  it('leave it to the operator that asks which batch is run again', async () => {
    // Nothing follows inside the inner batch: the one around it, with say, has the other passes.
    const { state } = await runSimulation(load('simulation: [[next_frame: { loop: true }], say]'));
    const frames = ['frame 1', 'hello', 'frame 2', 'hello', 'frame 3', 'hello'];
    expect(state.get(logKey)).toEqual(frames);
  });

  it('end with the loop around them', async () => {
    const text =
      'simulation: [{ loop: true, body: [[[next_frame, [say]]], say: { text: x }] }, say: { text: end }]';
    const { state } = await runSimulation(load(text));
    const pass = (k: number) => [`frame ${k}`, 'hello', 'x'];
    expect(state.get(logKey)).toEqual([...pass(1), ...pass(2), ...pass(3), 'end']);
  });
});
