import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/functor/error';
import { afterAll } from 'vitest';
import { defineOperator } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { Registry } from '../../src/graph/Registry.js';
import type { Simulation } from '../../src/graph/Simulation.js';
import { stateKey } from '../../src/graph/StateKey.js';
import { dimensions } from '../../src/units/dimensions.js';

export const folder = path.join(tmpdir(), `corpuscle-graph-${process.pid}`);

/** Makes the folder for the tests of a file and removes it after them; files may share a process. */
export function inFolder(): void {
  mkdirSync(folder, { recursive: true });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

export const boxKey = stateKey<{ particles: number }>('box', 'the particles: put make_box first');
export const logKey = stateKey<string[]>('log', 'what has been called');

/** A small world of operators: a box to make, forces, a counter that ends a loop, a writer. */
export function registry(): Registry {
  const makeBox = defineOperator({
    name: 'make_box',
    doc: 'Makes a box.',
    slots: {
      length: {
        type: 'quantity',
        dimension: dimensions.length,
        above: 0,
        required: true,
        doc: 'edge',
      },
      repeat: {
        type: 'list',
        of: { type: 'integer', min: 1 },
        length: 3,
        default: [1, 1, 1],
        doc: 'cells',
      },
      structure: { type: 'enum', values: ['fcc', 'bcc', 'sc'], default: 'sc', doc: 'lattice' },
      types: { type: 'list', of: { type: 'particle_type' }, minLength: 1, doc: 'types' },
      title: { type: 'string', doc: 'name' },
      periodic: { type: 'boolean', default: true, doc: 'whether it repeats' },
    },
    provides: [boxKey],
    execute: ({ state, slots }) =>
      state.set(boxKey, { particles: slots.repeat.reduce((a, b) => a * b) }),
  });
  const force = defineOperator({
    name: 'pair_force',
    doc: 'Adds forces.',
    slots: {
      epsilon: { type: 'quantity', dimension: dimensions.energy, doc: 'depth' },
      rcut: {
        type: 'quantity',
        dimension: dimensions.length,
        above: 0,
        required: true,
        doc: 'cutoff',
      },
      pairs: {
        type: 'list',
        of: {
          type: 'map',
          entries: {
            types: {
              type: 'list',
              of: { type: 'particle_type' },
              length: 2,
              required: true,
              doc: 'pair',
            },
            sigma: {
              type: 'quantity',
              dimension: dimensions.length,
              required: true,
              doc: 'diameter',
            },
          },
        },
        doc: 'one item a pair of types',
      },
      group: {
        type: 'any_of',
        options: [
          { type: 'enum', values: ['all'] },
          { type: 'list', of: { type: 'integer', min: 0 } },
          {
            type: 'map',
            entries: {
              first: { type: 'integer', required: true, doc: '' },
              last: { type: 'integer', required: true, doc: '' },
            },
          },
        ],
        default: 'all',
        doc: 'particles',
      },
      file: { type: 'file', mode: 'read', doc: 'table' },
    },
    requires: [boxKey],
    validate({ slots, fail }) {
      if (slots.rcut !== undefined && slots.rcut > 100)
        fail('rcut', 'INVALID_VALUE', 'rcut is too long: lower it');
      slots.pairs?.forEach((pair, k) => {
        if (pair.sigma === 13)
          fail(`pairs.${k}.sigma`, 'INVALID_VALUE', 'sigma is 13: choose a lucky one');
      });
    },
    execute: ({ state, slots }) => {
      state.obtain(logKey, () => []).push(`force ${slots.rcut}`);
    },
  });
  const begin = defineOperator({
    name: 'begin',
    doc: 'Starts counting.',
    slots: {
      continue: { type: 'boolean', direction: 'output', doc: 'whether steps are left' },
      end_iteration: { type: 'integer', min: 0, required: true, doc: 'steps' },
    },
    execute: (context) => context.set('continue', context.state.step < context.slots.end_iteration),
  });
  const step = defineOperator({
    name: 'next_step',
    doc: 'Counts.',
    slots: {
      continue: { type: 'boolean', direction: 'input_output', doc: 'whether steps are left' },
      end_iteration: { type: 'integer', required: true, doc: 'steps' },
      dt: { type: 'quantity', dimension: dimensions.time, required: true, doc: 'time step' },
    },
    execute(context) {
      const { state, slots } = context;
      state.step++;
      state.time += slots.dt;
      state.reportProgress(slots.end_iteration);
      context.set('continue', state.step < slots.end_iteration);
    },
  });
  const say = defineOperator({
    name: 'say',
    doc: 'Says something.',
    slots: {
      text: { type: 'string', default: 'hello', doc: 'what' },
      frequency: { type: 'integer', min: 1, default: 1, doc: 'every so many steps' },
    },
    every: 'frequency',
    execute: ({ state, slots }) => {
      state.obtain(logKey, () => []).push(slots.text);
    },
  });
  const write = defineOperator({
    name: 'write_rows',
    doc: 'Writes a row a call.',
    slots: { file: { type: 'file', mode: 'write', required: true, doc: 'where to' } },
    prepare: ({ state, slots }) => {
      const file = state.output.open(slots.file);
      file.write('step\n');
      return file;
    },
    execute: ({ own, state }) => own.write(`${state.step}\n`),
    finish: ({ own }) => own.write('end\n'),
    dispose: ({ state }) => {
      state.obtain(logKey, () => []).push('disposed');
    },
  });
  const fail = defineOperator({
    name: 'blow_up',
    doc: 'Fails.',
    slots: { at_step: { type: 'integer', default: 0, doc: 'when' } },
    async execute({ state, slots }) {
      if (state.step === slots.at_step)
        throw new CorpuscleError('NOT_FINITE', `step ${state.step}: particle 3 is at NaN`);
    },
  });
  const frames = defineOperator({
    name: 'next_frame',
    doc: 'Three frames, one a call.',
    slots: { loop: { type: 'boolean', default: false, doc: 'ask for more passes' } },
    provides: [boxKey],
    endsLoop: true,
    prepare: () => ({ frame: 0 }),
    execute(context) {
      if (context.own.frame === 3) return context.stopLoop();
      context.own.frame++;
      if (context.slots.loop) context.repeatBatch();
      context.state.obtain(logKey, () => []).push(`frame ${context.own.frame}`);
    },
  });
  const scaleDt = defineOperator({
    name: 'scale_dt',
    doc: 'Doubles the step.',
    slots: {
      dt: {
        type: 'quantity',
        dimension: dimensions.time,
        direction: 'input_output',
        doc: 'time step',
      },
    },
    execute: (context) => context.set('dt', 2 * context.slots.dt),
  });
  return new Registry()
    .add(makeBox, force, begin, step, say, write, fail, frames, scaleDt)
    .addHook({
      name: 'setup_system',
      doc: 'makes the particles',
      required: true,
      runsOnce: true,
    })
    .addHook({ name: 'compute_force', doc: 'adds forces', required: true })
    .addHook({ name: 'analysis', doc: 'looks at the particles' })
    .addDefaults(
      '<dynamics>',
      `
dynamics:
  - setup_system
  - begin
  - compute_force
  - output
  - { loop: true, condition: continue, body: [compute_force, next_step, analysis, output] }
output:
  - rebind: { frequency: say_frequency }
    body: [say]
`,
    );
}

let serial = 0;
/** Writes files into a fresh folder. @returns the path of the first */
export function write(text: string, others: Record<string, string> = {}): string {
  const place = path.join(folder, String(serial++));
  mkdirSync(place);
  const main = path.join(place, 'in.yaml');
  for (const [name, content] of Object.entries({ 'in.yaml': text, ...others })) {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    writeFileSync(path.join(place, name), content);
  }
  return main;
}

/** Writes files into a fresh folder and loads the first. */
export function load(
  text: string,
  others: Record<string, string> = {},
  set: string[] = [],
): Simulation {
  return loadSimulation([write(text, others)], { operators: registry(), set });
}

/** The error that an action ends in. */
export async function failureOf(action: () => unknown): Promise<CorpuscleError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof CorpuscleError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
