import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { itLong, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const built = (name: string) =>
  fileURLToPath(new URL(`../../packages/${name}/dist/index.js`, import.meta.url));

/**
 * Operators whose functors have no end from a step on, 100: compiled ones, and one that is called as it stands. Where a
 * thread is enough to show it, others wait: what has no end takes a processor from all tests beside it.
 *
 * `soon` is for a device. It waits until the device has done all before, and then measures until the process tells of the
 * functor: seconds, those in which it was awake, and seconds of processor time.
 */
const operators = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { defineOperator } from '${built('core')}';
  import { contextOf, gridKey } from '${built('operators')}';
  import { cellFunctor, computeCellParticles, prepareValues, valueFunctor } from '${built('patterns')}';
  const spin = cellFunctor({ name: 'spin', fields: { vx: 'real' }, params: { go: 'real' } },
    (i, p) => { while (p.go > 0) i.vx = i.vx * 0.5; });
  const spinOne = cellFunctor({ name: 'spin', fields: { vx: 'real' }, read: { id: 'u32' }, params: { go: 'real' } },
    (i, p) => { while (p.go > 0 && i.id === 200) i.vx = i.vx * 0.5; });
  const turn = cellFunctor({ name: 'turn', traits: { gpu: false }, fields: { vx: 'real' }, params: { go: 'real' } },
    (i, p) => { while (p.go > 0) i.vx = Number(String(i.vx)); });
  const endless = (name, functor, from = 100) => defineOperator({
    name, doc: 'Has no end.', slots: {}, requires: [gridKey],
    execute({ state }) {
      const params = { go: state.step < from ? 0 : 1 };
      computeCellParticles(state.get(gridKey), functor, contextOf(state), { params });
    } });
  const halve = valueFunctor({ name: 'halve', values: { x: 'real' } }, (v) => { while (v.x > 0) v.x = v.x * 0.5 + 1; });
  export const halver = defineOperator({
    name: 'halver', doc: 'Has no end.', slots: {}, requires: [gridKey],
    execute({ state }) {
      const ctx = contextOf(state);
      prepareValues(halve, ctx, { values: { x: ctx.value({ x: 1 }).of('x') } }).run();
    } });
  function measure() {
    const { writeSync } = fs;
    const [begin, used] = [performance.now(), process.cpuUsage()];
    // Time in which the event loop turns: where others keep the processors, nobody can look in between.
    let [awake, looked] = [0, begin];
    setInterval(() => {
      const now = performance.now();
      awake += Math.min(250, now - looked) / 1000;
      looked = now;
    }, 50).unref();
    fs.writeSync = (to, text, ...rest) => {
      const { user, system } = process.cpuUsage(used);
      const told = { seconds: (performance.now() - begin) / 1000, awake, processor: (user + system) / 1e6 };
      if (String(text).includes('one piece for 4 s')) fs.writeFileSync('told.json', JSON.stringify(told));
      return writeSync(to, text, ...rest);
    };
    syncBuiltinESMExports();
  }
  export const spinner = endless('spinner', spinOne);
  export const soon = { ...endless('soon', spin, 20), async execute(call) {
    if (call.state.step === 20) {
      await contextOf(call.state).order.settled();
      await contextOf(call.state).device.finished();
      measure();
    }
    return endless('soon', spin, 20).execute(call);
  } };
  export const turner = endless('turner', turn);`;

const yaml = (operator: string) =>
  meltYaml({
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 1000, thermo_frequency: 1 }',
    dump_data: `\n  - ${operator}`,
  });

/** Runs until it hangs; gives how it ended, and after how many seconds it was told of. */
async function hang(
  name: string,
  operator: string,
  options: readonly string[],
  { backend = 'cpu', last = /\n +99 / } = {},
) {
  work.write({ 'own.mjs': operators, [`${operator}.yaml`]: yaml(operator) });
  if (backend !== 'cpu') work.limitSoftwareGpu();
  const argv = ['run', `${operator}.yaml`, '--import', 'own.mjs', '--backend', backend];
  const env = { ...process.env, CORPUSCLE_SOFTWARE_GPU: '1' };
  const run = startCli([...argv, '--output', name, ...options], { cwd: work.root, env });
  await run.printed(last);
  const begin = performance.now();
  while (!run.err().includes('one piece for 4 s') && run.child.exitCode === null) await sleep(20);
  const seconds = (performance.now() - begin) / 1000;
  return { run, seconds };
}

const rows = (name: string) => readFileSync(work.path(`${name}/thermo.csv`), 'utf8').split('\n');

it.concurrent.each(runs([2], [1]))(
  'an endless functor is named within 5 s, and ends the run by itself with %i threads',
  async (threads) => {
    const name = `spinner-${threads}`;
    const { run, seconds } = await hang(name, 'spinner', [
      '--threads',
      `${threads}`,
      '--kernel-limit',
      '5',
    ]);
    const { code, err } = await run.ended;
    expect(seconds).toBeLessThan(5);
    expect(err).toMatch(
      /'spin \+ [^']*' in operators [^']*spinner[^']* has worked on one piece for 4 s/,
    );
    expect(err).toMatch(
      /spinner\.yaml:\d+:5: [^\n]* has been ended: a loop of it has no end.*the last good state known.*\n +\d+ \| +- spinner\n/,
    );
    expect(err).not.toMatch(/\n {4}at |debugger/);
    expect(code).toBe(1);
    expect(rows(name)).toHaveLength(103); // header, steps 0 to 100, end of the last line
    expect(work.files()).toContain(`${name}/failed.xyz`);
    expect(work.files()).not.toContain(`${name}/.corpuscle.lock`);
  },
);

// Node waits for nothing then: the process ended before it learned why.
itLong.concurrent(
  'a functor of values without end that is called in set-up is told at its place',
  async () => {
    const halver =
      '\n  - lattice: { structure: sc, density: 1, repeat: [4, 4, 4], types: [A] }\n  - halver';
    work.write({ 'own.mjs': operators, 'halver.yaml': meltYaml({ setup_system: halver }) });
    const argv = [
      'run',
      'halver.yaml',
      '--import',
      'own.mjs',
      '--threads',
      '1',
      '--output',
      'values',
    ];
    const { code, err } = await startCli([...argv, '--kernel-limit', '5'], { cwd: work.root })
      .ended;
    expect(err).toMatch(
      /halver\.yaml:6:5: 'halve' in operator halver has worked on one piece for \d+ s, and has been ended[^\n]*\n +6 \| +- halver\n/,
    );
    expect(code).toBe(1);
  },
);

itLong.concurrent(
  'a signal ends a run that hangs in the main thread, and files are kept',
  async () => {
    const { run } = await hang('signal', 'turner', ['--threads', '1', '--kernel-limit', '60']);
    expect(run.err()).toMatch(/'turn' in operator turner has worked on one piece for 4 s/);
    const begin = performance.now();
    run.child.kill('SIGTERM');
    const { code, err } = await run.ended;
    expect(err).toMatch(/turner\.yaml:\d+:\d+: 'turn' in operator turner has worked/);
    expect(code).toBe(1);
    expect(performance.now() - begin).toBeLessThan(3000);
    expect(rows('signal')).toHaveLength(103);
  },
);

/** Rows of the last steps before the functor has no end are still on their way from the device. */
const onDevice = { backend: 'webgpu', last: /\n +1\d / };

itLong('an endless functor on a device is named, and ends the run by itself', async () => {
  const limit = ['--threads', '1', '--kernel-limit', '5'];
  const { run } = await hang('device', 'soon', limit, onDevice);
  const { code, err } = await run.ended;
  const told = JSON.parse(readFileSync(work.path('told.json'), 'utf8'));
  // Four seconds in which the process could look, and a software adapter must have worked for a second of them.
  // Where others keep the processors either takes longer.
  expect(told.seconds).toBeGreaterThan(4);
  expect(told.processor).toBeGreaterThan(1);
  expect(told.awake < 5 || told.processor < 1.5, `told after ${JSON.stringify(told)}`).toBe(true);
  expect(err).toMatch(
    /'[^']*spin[^']*' in operators? [^']*soon[^']* has worked on one piece for 4 s/,
  );
  expect(err).toMatch(
    /soon\.yaml:\d+:5: [^\n]* has been ended: a loop of it has no end.*the last good state known, of step 0.*\n +\d+ \| +- soon\n/,
  );
  expect(err).not.toMatch(/\n {4}at /);
  expect(code).toBe(1);
  const [head, ...steps] = rows('device');
  expect(head).toMatch(/^step/);
  expect(steps.length).toBeGreaterThan(10);
  expect(steps.slice(0, -1).map((row) => Number(row.split(',')[0]))).toEqual([
    ...steps.slice(0, -1).keys(),
  ]);
  expect(work.files()).toContain('device/failed.xyz');
  expect(work.files()).not.toContain('device/.corpuscle.lock');
});

itLong('a signal ends a run that hangs on a device, and files are kept', async () => {
  const limit = ['--threads', '1', '--kernel-limit', '0'];
  const { run } = await hang('device-signal', 'soon', limit, onDevice);
  const begin = performance.now();
  run.child.kill('SIGTERM');
  const { code, err } = await run.ended;
  expect(err).toMatch(/4 s: if a loop of it has no end, Ctrl-C or SIGTERM ends the run, and files/);
  expect(code).toBe(1);
  expect(performance.now() - begin).toBeLessThan(3000);
  expect(rows('device-signal').length).toBeGreaterThan(10);
});
