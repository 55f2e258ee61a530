import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineOperator } from '../../../src/graph/defineOperator.js';
import { loadSimulation } from '../../../src/graph/loadSimulation.js';
import { Registry } from '../../../src/graph/Registry.js';
import { runSimulation } from '../../../src/graph/runSimulation.js';
import type { SlotSpec } from '../../../src/graph/SlotSpec.js';
import { dimensions } from '../../../src/units/dimensions.js';
import { failureOf, folder, inFolder, load, logKey, write } from '../fixture.js';

inFolder();

const logOf = async (text: string, set: string[] = []): Promise<string[]> => {
  const { state } = await runSimulation(load(text, {}, set));
  return state.find(logKey) ?? [];
};

describe('--set', () => {
  it('on the block of an operator wins over the slots given where it is used', async () => {
    const text = 'say: { text: block }\nsimulation: [say: { text: inline }, say]';
    expect(await logOf(text)).toEqual(['inline', 'block']);
    expect(await logOf(text, ['say.text=option'])).toEqual(['option', 'option']);
  });
});

describe('aliases of operators', () => {
  const world = () => {
    const greet = defineOperator({
      name: 'greet',
      aliases: ['salute', 'hail'],
      doc: 'Says something.',
      slots: { text: { type: 'string', default: 'hello', doc: 'what' } },
      execute: ({ slots, state }) => state.set(logKey, [...(state.find(logKey) ?? []), slots.text]),
    });
    return new Registry().add(greet);
  };
  const run = async (text: string) => {
    const simulation = loadSimulation([write(text)], { operators: world() });
    return (await runSimulation(simulation)).state.find(logKey);
  };

  it('name the same operator', async () => {
    expect(await run('simulation: [greet, salute, { hail: { text: there } }]')).toEqual([
      'hello',
      'hello',
      'there',
    ]);
  });

  it('name its block', async () => {
    expect(await run('salute: { text: a }\nsimulation: [greet, hail]')).toEqual(['a', 'a']);
    expect(await run('salute: { text: a }\ngreet: { text: b }\nsimulation: [greet]')).toEqual([
      'b',
    ]);
  });

  it('are listed under their operator alone', () => {
    expect(world().operators.map(({ name }) => name)).toEqual(['greet']);
  });

  it('are taken', () => {
    const hail = defineOperator({
      name: 'hail',
      doc: 'Falls.',
      slots: {},
      execute: () => undefined,
    });
    expect(() => world().add(hail)).toThrow("the name 'hail' is registered twice");
  });
});

describe('batches', () => {
  it.each(['-1', '1.5', '.inf', '-0.5'])('refuse %s passes', async (passes) => {
    const error = await failureOf(() => load(`simulation: { body: [say], loop: ${passes} }`));
    expect(error).toMatchObject({ code: 'WRONG_TYPE', location: { line: 1, column: 34 } });
  });

  it('refuse passes and a loop', async () => {
    expect(await logOf('simulation: { body: [say], loop: 0 }')).toEqual([]);
    expect(await logOf('simulation: { body: [say], loop: false }')).toEqual(['hello']);
  });
});

describe('globals', () => {
  it('written by a later operator of a loop reach earlier operators in the next pass', async () => {
    const { state } = await runSimulation(
      load(
        'global: { dt: 1, end_iteration: 9 }\nsimulation: { loop: 3, body: [next_step, scale_dt] }',
      ),
    );
    expect(state.time).toBe(1 + 2 + 4);
  });
});

describe('maps', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'have no key %s',
    async (key) => {
      const error = await failureOf(() =>
        load(
          `simulation: [make_box: { length: 9 }, pair_force: { rcut: 1, group: { first: 1, last: 2, ${key}: 3 } }]`,
        ),
      );
      expect(error).toMatchObject({ code: 'UNKNOWN_KEY', location: { line: 1, column: 90 } });
    },
  );
});

describe('an output flows into a later slot of its name', () => {
  const specs = {
    integer: { type: 'integer', doc: '' },
    number: { type: 'number', doc: '' },
    fraction: { type: 'quantity', dimension: dimensions.none, doc: '' },
    length: { type: 'quantity', dimension: dimensions.length, doc: '' },
    boolean: { type: 'boolean', doc: '' },
    string: { type: 'string', doc: '' },
    choice: { type: 'enum', values: ['a'], doc: '' },
    either: { type: 'any_of', options: [{ type: 'integer' }, { type: 'boolean' }], doc: '' },
  } as const satisfies Record<string, SlotSpec>;
  type Name = keyof typeof specs;
  const file = path.join(folder, 'flow.yaml');
  writeFileSync(file, 'simulation: [make, take]\n');

  const takes: Record<Name, Name[]> = {
    integer: ['integer'],
    number: ['integer', 'number', 'fraction'],
    fraction: ['integer', 'number', 'fraction'],
    length: ['length'],
    boolean: ['boolean'],
    string: ['string', 'choice'],
    choice: ['choice'],
    either: ['integer', 'boolean', 'either'],
  };

  async function connects(from: SlotSpec, to: SlotSpec): Promise<boolean> {
    const make = defineOperator({
      name: 'make',
      doc: '',
      slots: { x: { ...from, direction: 'output' } },
      execute: () => {},
    });
    const take = defineOperator({ name: 'take', doc: '', slots: { x: to }, execute: () => {} });
    const action = () => loadSimulation([file], { operators: new Registry().add(make, take) });
    try {
      action();
      return true;
    } catch {
      expect(await failureOf(action)).toMatchObject({ code: 'WRONG_TYPE' });
      return false;
    }
  }

  it.each(Object.keys(specs) as Name[])('a slot of %s takes what it can hold', async (to) => {
    const fitting: Name[] = [];
    for (const from of Object.keys(specs) as Name[]) {
      if (await connects(specs[from], specs[to])) fitting.push(from);
    }
    expect(fitting).toEqual(Object.keys(specs).filter((from) => takes[to].includes(from as Name)));
  });
});
