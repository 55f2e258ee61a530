import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFormat } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';

// CORPUSCLE_SOAK_CPU and CORPUSCLE_SOAK_WEBGPU say how many kills there are, in all CPU cases together and on WebGPU.
const kills = {
  cpu: Number(process.env.CORPUSCLE_SOAK_CPU ?? runs(1, 20)),
  webgpu: Number(process.env.CORPUSCLE_SOAK_WEBGPU ?? runs(0, 5)),
};
const binary = fileURLToPath(new URL('../../packages/cli/bin/corpuscle.js', import.meta.url));
const work = new Workplace();
afterAll(() => work.remove());

/** What a run leaves that must not depend on kills. */
const OUTPUTS = ['thermo.csv', 'frames.xyz', 'g.csv', 'last.xyz'];

const yaml = (steps: number, every: number): string =>
  meltYaml({
    configuration: '{ units: lj, seed: 87287, deterministic: true }',
    global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 10 }`,
    dump_data: `
  - write_extended_xyz: { file: frames.xyz, frequency: ${2 * every} }
  - radial_distribution: { file: g.csv, bins: 20, frequency: ${every} }
  - checkpoint: { frequency: ${every} }`,
    simulation_epilog: '\n  - write_extended_xyz: { file: last.xyz }',
  });

/** A row that the command has printed, and when. */
interface Printed {
  readonly step: number;
  readonly at: number;
}

/** Runs the command; kills it after so many milliseconds. @returns the exit code, null where it was killed. */
function corpuscle(argv: readonly string[], killAfter = Number.POSITIVE_INFINITY) {
  const child = spawn(process.execPath, [binary, 'run', ...argv], { cwd: work.root });
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  const printed: Printed[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const step = /^ +(\d+) +-?\d/.exec(line)?.[1];
    if (step) printed.push({ step: Number(step), at: performance.now() });
  });
  const isKilled = Number.isFinite(killAfter);
  let killedAt = 0;
  const kill = () => {
    killedAt = performance.now();
    child.kill('SIGKILL');
  };
  const timer = isKilled ? setTimeout(kill, killAfter) : undefined;
  type Outcome = { code: number | null; err: string; settled: readonly number[] };
  return new Promise<Outcome>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      const old = printed.filter(({ at }) => at < killedAt - 1000);
      resolve({ code, err, settled: old.map(({ step }) => step) });
    });
  });
}

const outputsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    OUTPUTS.map((name) => [name, readFileSync(work.path(`${folder}/${name}`), 'utf8')]),
  );

/** Asserts that rows and frames of these steps are in the files of a run that was killed, and can be read. */
async function expectKept(folder: string, steps: readonly number[], every: number): Promise<void> {
  if (steps.length === 0) return;
  const rows = readFileSync(work.path(`${folder}/thermo.csv`), 'utf8')
    .split('\n')
    .slice(1);
  const kept = new Set(rows.map((row) => Number(row.split(',')[0])));
  expect(steps.filter((step) => !kept.has(step))).toEqual([]);
  const due = steps.filter((step) => step % (2 * every) === 0);
  const frames = new Set<number | undefined>();
  const { read } = findFormat('frames.xyz');
  for await (const { step } of read!(work.path(`${folder}/frames.xyz`), { onNote: () => {} }))
    frames.add(step);
  expect(due.filter((step) => !frames.has(step))).toEqual([]);
}

/** Kills a run at random moments and goes on, again and again, until there were so many kills; the last story is completed. */
async function soak(argv: readonly string[], count: number, every: number): Promise<void> {
  const begun = performance.now();
  expect(await corpuscle([...argv, '--output', 'whole'])).toMatchObject({ code: 0 });
  const whole = performance.now() - begun;
  const expected = outputsOf('whole');
  let killed = 0;
  for (let story = 0; killed < count; story++) {
    const folder = `story-${story}`;
    for (let isComplete = false; !isComplete; ) {
      const mayKill = killed < count;
      const after = mayKill ? 100 + Math.random() * whole : Number.POSITIVE_INFINITY;
      const run = await corpuscle([...argv, '--output', folder, '--restart'], after);
      const { code, err, settled } = run;
      if (code === null) {
        killed++;
        await expectKept(folder, settled, every);
      } else expect(code, err).toBe(0);
      isComplete = code === 0;
    }
    expect(outputsOf(folder), `after ${killed} kills`).toEqual(expected);
    expect(readdirSync(work.path(folder)).filter((name) => name.endsWith('.ckpt'))).toHaveLength(2);
  }
}

describe('runs that are killed at random moments go on to the same bytes', () => {
  const ways = [
    ['2 threads in f64', ['--threads', '2']],
    ['1 thread in f64', ['--threads', '1']],
    ['2 threads in mixed precision', ['--threads', '2', '--precision', 'mixed']],
  ] as const;
  const tried = kills.cpu < ways.length ? ways.slice(0, kills.cpu) : ways;
  it.each(tried)('on %s', { timeout: 36_000_000 }, async (_name, more) => {
    work.clear();
    work.write({ 'in.yaml': yaml(runs(1500, 3000), 100) });
    await soak(['in.yaml', '--backend', 'cpu', ...more], Math.ceil(kills.cpu / tried.length), 100);
  });

  if (kills.webgpu > 0)
    it('on WebGPU', { timeout: 36_000_000 }, async () => {
      work.clear();
      const every = runs(20, 50);
      work.write({ 'in.yaml': yaml(3 * every, every) });
      work.limitSoftwareGpu();
      await soak(['in.yaml', '--backend', 'webgpu'], kills.webgpu, every);
    });
});
