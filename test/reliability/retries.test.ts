import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineOperator, loadSimulation, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { GpuEngine } from '../../packages/patterns/src/gpu/GpuEngine.js';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';
import { isLong, itLong, itOnce } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const built = (name: string) =>
  fileURLToPath(new URL(`../../packages/${name}/dist/index.js`, import.meta.url));

/** Each takes something from the run, once in the process, at step 25. */
const losses = `
  import { contextOf } from '${built('operators')}';
  import { CorpuscleError } from '${built('core')}';
  const lost = new Set();
  const loss = (name, lose) => ({
    name, doc: 'Takes something from the run.', slots: {},
    execute({ state }) {
      if (state.step !== 25 || lost.has(name)) return undefined;
      lost.add(name);
      return lose(contextOf(state));
    } });
  export const lose_device = loss('lose_device', (ctx) => ctx.engines.accelerator.gpu.device.destroy());
  export const lose_memory = loss('lose_memory', () => {
    throw new CorpuscleError('OUT_OF_MEMORY', 'the GPU ran out of memory');
  });
  const deadly = \`return (args, begin, end, thread) => {
    if (thread !== 0) process.exit(3);
    for (const start = performance.now(); performance.now() - start < 2; );
  };\`;
  export const lose_thread = loss('lose_thread', (ctx) => ctx.engines.host.pool.run(
    { key: 'deadly', label: 'deadly', code: { kind: 'javascript', source: () => deadly }, args: { slots: [] } },
    0, 0, 50, { kind: 'dynamic', chunk: 1 }));
  export const blow_up = { name: 'blow_up', doc: 'Fails.', slots: {},
    execute() { throw new Error('no luck'); } };`;

const yaml = (...dump: string[]) =>
  meltYaml({
    configuration: '{ units: lj, seed: 87287, deterministic: true }',
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 5 }',
    dump_data: ['checkpoint: { frequency: 10 }', ...dump].map((line) => `\n  - ${line}`).join(''),
  });

async function run(backend: string, dump: readonly string[], ...more: string[]) {
  work.write({ 'own.mjs': losses, 'run.yaml': yaml(...dump) });
  work.limitSoftwareGpu();
  const argv = ['run', 'run.yaml', '--import', 'own.mjs', '--backend', backend, '--threads', '2'];
  return startCli([...argv, ...more], {
    cwd: work.root,
    env: { ...process.env, CORPUSCLE_SOFTWARE_GPU: '1' },
  }).ended;
}

const table = (folder: string) => readFileSync(work.path(`${folder}/thermo.csv`), 'utf8');
const stepsOf = (folder: string) =>
  [...table(folder).matchAll(/^\d+/gm)].map(([step]) => Number(step));

it('a run whose device is lost goes on from its last checkpoint, and misses no row', async () => {
  const { code, err } = await run(
    'webgpu',
    ['lose_device'],
    ...['--output', 'out', '--retries', '1'],
  );
  expect(code, err).toBe(0);
  expect(err).toMatch(/the GPU device was lost during .*\n(.*\n)*retry 1 of 1: going on from the/);
  expect(err).toMatch(/^retry 1 of 1: going on from the checkpoint of step 20$/m);
  expect(stepsOf('out')).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40]);
  if (!isLong) return; // kernels are compiled anew in each process
  await run('webgpu', [], '--output', 'whole');
  expect(table('out')).toBe(table('whole'));
});

itOnce(
  'it retries after other losses too, each once, and says how many retries are left',
  async () => {
    const dump = ['lose_memory', 'lose_thread'];
    const { code, out, err } = await run('cpu', dump, '--retries', '3', '--output', 'out');
    expect(code, err).toBe(0);
    expect(err.match(/^retry \d of 3: going on from the checkpoint of step 20$/gm)).toHaveLength(2);
    expect(err).toMatch(/CPU thread 1 of 2 has ended while 'deadly' ran/);
    expect(stepsOf('out')).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40]);
    expect(out).toMatch(/^steps +20 in /m); // steps of the last attempt, and none twice
  },
);

itLong('it does not retry more often than it may, nor after other failures', async () => {
  const dump = ['lose_memory', 'lose_thread'];
  const often = await run('cpu', dump, '--retries', '1', '--output', 'out');
  expect([often.code, often.err.match(/^retry/gm)?.length]).toEqual([1, 1]);
  const other = await run('cpu', ['blow_up'], '--retries', '2', '--output', 'other');
  expect([other.code, other.err.match(/^retry/gm)]).toEqual([1, null]);
});

itOnce(
  'it begins anew where there is no checkpoint yet, and refuses a run that will have none',
  async () => {
    work.write({ 'own.mjs': losses, 'run.yaml': yaml('lose_memory').replace('10 }', '30 }') });
    const argv = ['run', 'run.yaml', '--import', 'own.mjs', '--backend', 'cpu', '--retries', '1'];
    const { code, err } = await startCli([...argv, '--output', 'out'], { cwd: work.root }).ended;
    expect(code, err).toBe(0);
    expect(err).toMatch(/^retry 1 of 1: there is no checkpoint yet: beginning at the start$/m);
    expect(work.files()).not.toContain('out/#thermo.csv.1#');
    work.write({ 'run.yaml': meltYaml() });
    const none = await runCli(['run', work.path('run.yaml'), '--retries', '1']);
    expect(none.code).toBe(2);
    expect(none.err).toMatch(/--retries goes on from checkpoints, and the simulation writes none/);
  },
);

/** The device goes away in the middle of step 7. */
const loseDevice = defineOperator({
  name: 'lose_device',
  doc: 'Destroys the device.',
  slots: {},
  execute({ state }) {
    if (state.step === 7) (contextOf(state).engines.accelerator as GpuEngine).gpu.device.destroy();
  },
});

itOnce(
  'a device that is lost during a run is an error that names an operator, and keeps what was written, now and before',
  async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    await using context = await createExecutionContext({ backend: 'webgpu' });
    const global = '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 7 }';
    const yaml = meltYaml({ global, dump_data: '[lose_device]' });
    work.write({ 'run.yaml': yaml, 'out/thermo.csv': 'an older table\n' });
    const operators = createRegistry().add(loseDevice);
    const simulation = loadSimulation([work.path('run.yaml')], { operators });
    const lost = runSimulation(simulation, { context, outputDirectory: work.path('out') });
    await expect(lost).rejects.toMatchObject({
      code: 'DEVICE_LOST',
      message: expect.stringMatching(/lost during '.+' of [a-z_ +]+ \(destroyed/),
    });
    expect(work.files()).toEqual([
      'out/#thermo.csv.1#',
      'out/failed.xyz',
      'out/thermo.csv',
      'run.yaml',
    ]);
    expect(readFileSync(work.path('out/#thermo.csv.1#'), 'utf8')).toBe('an older table\n');
    expect(table('out')).toMatch(/^step,.*\n/);
  },
);
