import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineOperator } from '../../src/graph/defineOperator.js';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { runSimulation } from '../../src/graph/runSimulation.js';
import { operatorsOf } from '../../src/graph/Simulation.js';
import { failureOf, folder, inFolder, load, logKey, registry } from './fixture.js';

inFolder();

const logOf = async (text: string, others = {}, set: string[] = []): Promise<string[]> => {
  const { state } = await runSimulation(load(text, others, set));
  return state.find(logKey) ?? [];
};

const BASE = `
global: { dt: 0.5, end_iteration: 2 }
setup_system: [make_box: { length: 3 }]
compute_force: [pair_force: { rcut: 1 }]
simulation: dynamics
`;

describe('documents merge', () => {
  it('maps recursively, scalars and lists replaced, +name appended', async () => {
    const log = await logOf(
      `includes: base.yaml\nglobal: { end_iteration: 1 }\n+compute_force: [pair_force: { rcut: 2 }]\nsay: { text: x }\n`,
      { 'base.yaml': BASE },
    );
    expect(log).toEqual(['force 1', 'force 2', 'x', 'force 1', 'force 2', 'x']);
  });

  it('includes depth first, each relative to its file', async () => {
    const log = await logOf('includes: [sub/a.yaml]\nsimulation: say\n', {
      'sub/a.yaml': 'includes: b.yaml\nsay: { text: a }\n',
      'sub/b.yaml': 'say: { text: b, frequency: 1 }\n',
    });
    expect(log).toEqual(['a']);
  });

  it('--set comes last: keys, operators in lists, list items, appending', async () => {
    const set = [
      'global.end_iteration=0',
      'compute_force.pair_force.rcut=4',
      '+compute_force=pair_force: {rcut: 5}',
    ];
    expect(await logOf(BASE, {}, set)).toEqual(['force 4', 'force 5', 'hello']);
    expect(
      await logOf(BASE, {}, ['compute_force.0={say: {text: y}}', 'global.end_iteration=0']),
    ).toEqual(['y', 'hello']);
  });

  it('resolves anchors and merge keys', async () => {
    const log = await logOf(
      'simulation: [say: &a { text: one }, say: *a, say: { <<: *a, frequency: 1 }]',
    );
    expect(log).toEqual(['one', 'one', 'one']);
  });

  it('merging is the same as merging plain objects', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.integer(),
        fc.array(fc.integer(), { maxLength: 2 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    }));
    const document = fc.dictionary(name, value, { maxKeys: 3 });
    const merge = (x: unknown, y: unknown): unknown =>
      isObject(x) && isObject(y)
        ? Object.fromEntries(
            [...new Set([...Object.keys(x), ...Object.keys(y)])].map((k) => [
              k,
              k in y ? merge(x[k], y[k]) : x[k],
            ]),
          )
        : y;
    const isObject = (v: unknown): v is Record<string, unknown> =>
      typeof v === 'object' && v !== null && !Array.isArray(v);
    fc.assert(
      fc.property(document, document, (x, y) => {
        const yaml = (v: unknown) =>
          `global: { record: ${JSON.stringify(v)} }\nsimulation: { rebind: { text: record }, body: [say: { text: a }] }\n`;
        const simulation = load(`includes: x.yaml\n${yaml(y)}`, { 'x.yaml': yaml(x) });
        expect(simulation.globals).toEqual({ record: merge(x, y) });
      }),
      { numRuns: 60 },
    );
  });
});

describe('the graph', () => {
  it('runs the default batch with the hooks of the file', async () => {
    expect(await logOf(BASE)).toEqual(['force 1', 'hello', 'force 1', 'hello', 'force 1', 'hello']);
  });

  it('rebinds, and takes globals by name', async () => {
    const log = await logOf(`${BASE}`, {}, ['global.say_frequency=2']);
    expect(log).toEqual(['force 1', 'hello', 'force 1', 'force 1', 'hello']);
  });

  it('inline slots win over the default block one by one, also through an alias', async () => {
    const log = await logOf(
      'say: { text: block, frequency: 1 }\nspeak: say\nsimulation: [say, speak: { text: inline }, speak]',
    );
    expect(log).toEqual(['block', 'inline', 'block']);
  });

  it('nests batches, loops a number of times, skips on conditions', async () => {
    const log = await logOf(`
global: { on: true, off: false }
twice: { loop: 2, body: [say: { text: t }] }
simulation:
  - twice
  - [say: { text: u }, nop]
  - twice: { loop: 1 }
  - { condition: off, body: [say: { text: never }] }
  - { condition: not off, body: say }
  - { condition: on, name: last, body: [say: { text: v }] }
`);
    expect(log).toEqual(['t', 't', 'u', 't', 'hello', 'v']);
  });

  it('tests a loop condition before the first pass and after each', async () => {
    const body = 'loop: true, condition: continue, body: [next_step, say]';
    const text = (n: number) =>
      `global: { dt: 1, end_iteration: ${n} }\nsimulation: [begin, { ${body} }]`;
    expect(await logOf(text(0))).toEqual([]);
    expect(await logOf(text(3))).toHaveLength(3);
  });

  it('takes a loop condition made inside the loop after the first pass', async () => {
    const log = await logOf(
      'global: { dt: 1, end_iteration: 3 }\nsimulation: { loop: true, condition: continue, body: [next_step, say] }',
    );
    expect(log).toHaveLength(3);
  });

  it('lets operators end or repeat the batch they are in', async () => {
    const frames = ['frame 1', 'hello', 'frame 2', 'hello', 'frame 3', 'hello'];
    expect(await logOf('simulation: { loop: true, body: [next_frame, say] }')).toEqual(frames);
    expect(await logOf('simulation: [next_frame: { loop: true }, say]')).toEqual(frames);
    expect(await logOf('simulation: [next_frame, say]')).toEqual(['frame 1', 'hello']);
  });

  it('makes one variable of a global that an operator writes', async () => {
    const { state } = await runSimulation(
      load(
        'global: { dt: 1, end_iteration: 9 }\nsimulation: [next_step, scale_dt, next_step, { body: scale_dt }, next_step]',
      ),
    );
    expect(state.time).toBe(1 + 2 + 4);
  });

  it('starts anew at every run of the same simulation', async () => {
    const simulation = load(
      'global: { dt: 1, end_iteration: 9 }\nsimulation: [scale_dt, next_step]',
    );
    for (let k = 0; k < 2; k++) expect((await runSimulation(simulation)).state.time).toBe(2);
  });

  it('converts quantities to internal units', () => {
    const simulation = load(`
configuration: { units: metal }
simulation: [make_box: { length: 1 nm }, pair_force: { rcut: 0.5 nm, epsilon: 10 meV }]`);
    const [, force] = [...operatorsOf(simulation.root)];
    const value = (slot: string) => {
      const source = force?.slots.get(slot);
      return source?.kind === 'value' ? source.value : undefined;
    };
    expect(value('rcut')).toBeCloseTo(5, 12);
    expect(
      simulation.configuration.units.fromInternal(value('epsilon') as number, {
        length: 2,
        mass: 1,
        time: -2,
      }),
    ).toBeCloseTo(0.01, 14);
  });

  it('uses two places of one batch as one operator: one header, one end', async () => {
    const directory = path.join(folder, 'once');
    await runSimulation(
      load('rows: [write_rows: { file: rows.txt }]\nsimulation: [rows, { loop: 2, body: rows }]'),
      { outputDirectory: directory },
    );
    expect(readFileSync(path.join(directory, 'rows.txt'), 'utf8')).toBe('step\n0\n0\n0\nend\n');
  });
});

describe('output files', () => {
  const WRITE = 'simulation: [write_rows: { file: deep/rows.txt }, blow_up: { at_step: 0 }]';

  it('a failed run keeps what it wrote', async () => {
    const directory = path.join(folder, 'failed');
    const error = await failureOf(() => runSimulation(load(WRITE), { outputDirectory: directory }));
    expect(error).toMatchObject({ code: 'NOT_FINITE', location: { line: 1, column: 51 } });
    expect(readFileSync(path.join(directory, 'deep', 'rows.txt'), 'utf8')).toBe('step\n0\n');
  });

  it('files of earlier runs get numbered names, and the run says so', async () => {
    const directory = path.join(folder, 'again');
    mkdirSync(directory);
    writeFileSync(path.join(directory, 'rows.txt'), 'old');
    const simulation = load('simulation: [write_rows: { file: rows.txt }]');
    const notices: string[] = [];
    const options = {
      outputDirectory: directory,
      onNotice: (text: string) => notices.push(text),
    };
    await runSimulation(simulation, options);
    expect(readdirSync(directory).sort()).toEqual(['#rows.txt.1#', 'rows.txt']);
    expect(readFileSync(path.join(directory, '#rows.txt.1#'), 'utf8')).toBe('old');
    expect(notices).toEqual([
      'rows.txt was there: it is now #rows.txt.1# (--overwrite replaces it)',
    ]);
    await runSimulation(simulation, { ...options, older: 'replace' });
    expect(readdirSync(directory).sort()).toEqual(['#rows.txt.1#', 'rows.txt']);
    expect(notices).toHaveLength(1);
  });

  it('a run ends when its files take no more', async () => {
    const directory = path.join(folder, 'gone');
    const simulation = load(
      'global: { dt: 1, end_iteration: 1000000000 }\nsimulation: [begin, { loop: true, condition: continue, body: [next_step, write_rows: { file: r.txt }] }]',
    );
    const error = await failureOf(() =>
      runSimulation(simulation, {
        outputDirectory: directory,
        onProgress: ({ step }) => step === 3 && rmSync(directory, { recursive: true }),
      }),
    );
    expect(error).toMatchObject({
      code: 'OUTPUT_FAILED',
      message: `cannot go on writing ${path.join(directory, 'r.txt')}: it has been removed or renamed while the run writes to it`,
    });
  });

  it('finds an unwritable place before anything runs', async () => {
    const directory = path.join(folder, 'unwritable');
    mkdirSync(path.join(directory, 'taken'), { recursive: true });
    writeFileSync(path.join(directory, 'file'), '');
    for (const name of [
      'taken',
      'file/rows.txt',
      '/proc/nowhere/rows.txt',
      `${'x'.repeat(300)}.txt`,
    ]) {
      const simulation = load(`simulation: [say, write_rows: { file: ${name} }]`);
      const calls: string[] = [];
      const error = await failureOf(() =>
        runSimulation(simulation, {
          outputDirectory: directory,
          allowOutside: true,
          onOperator: (operator) => calls.push(operator),
        }),
      );
      expect(error).toMatchObject({ code: 'UNWRITABLE', location: { line: 1, column: 39 } });
      expect(calls).toEqual([]);
    }
    expect(readdirSync(directory).sort()).toEqual(['file', 'taken']);
  });

  it('an interrupted run makes one more pass that knows it is the last, and keeps its files', async () => {
    const directory = path.join(folder, 'interrupted');
    const controller = new AbortController();
    const simulation = load(
      'global: { dt: 1, end_iteration: 100000 }\nsimulation: [begin, { loop: true, condition: continue, body: [next_step, write_rows: { file: r.txt }] }, blow_up: { at_step: 3 }]',
    );
    const result = await runSimulation(simulation, {
      outputDirectory: directory,
      signal: controller.signal,
      onProgress: ({ step }) => step === 3 && controller.abort(),
    });
    expect(result.status).toBe('interrupted');
    expect(readFileSync(path.join(directory, 'r.txt'), 'utf8')).toBe('step\n1\n2\n3\n4\nend\n');
    expect(result.state.get(logKey)).toEqual(['disposed']);
  });

  it('lets signals through a loop of synchronous operators', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 60);
    const simulation = load(
      'global: { dt: 1, end_iteration: 1000000000 }\nsimulation: [begin, { loop: true, condition: continue, body: next_step }]',
    );
    const { status, state } = await runSimulation(simulation, { signal: controller.signal });
    expect(status).toBe('interrupted');
    expect(state.step).toBeGreaterThan(10);
  });

  it('hears signals between operators that are no loop', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 0);
    const simulation = load('simulation: [say: { text: a }, say: { text: b }]');
    const { status, state } = await runSimulation(simulation, {
      signal: controller.signal,
      onOperator: () => {
        for (const end = performance.now() + 40; performance.now() < end; );
      },
    });
    expect(status).toBe('interrupted');
    expect(state.get(logKey)).toEqual(['a']);
  });

  it('waits for whatever an operator returns that can be awaited, such as handles of patterns', async () => {
    const operators = registry();
    let log: string[] = [];
    const returns = defineOperator({
      name: 'returns',
      doc: 'Returns a handle.',
      slots: {},
      execute({ state }) {
        log = state.obtain(logKey, () => []);
        const work = Promise.resolve().then(() => log.push('waited'));
        return { then: (done, failed) => work.then(done, failed) };
      },
    });
    operators.add(returns);
    const file = { name: 'run.yaml', text: 'simulation: [returns, say: { text: after }]' };
    await runSimulation(loadSimulation([file], { operators }));
    expect(log).toEqual(['waited', 'after']);
  });

  it('writes nothing when interrupted before it begins', async () => {
    const directory = path.join(folder, 'early');
    const result = await runSimulation(load('simulation: [write_rows: { file: r.txt }]'), {
      outputDirectory: directory,
      signal: AbortSignal.abort(),
    });
    expect(result.status).toBe('interrupted');
    expect(existsSync(directory)).toBe(false);
  });
});
