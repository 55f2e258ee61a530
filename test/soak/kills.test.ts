import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';

// CORPUSCLE_SOAK_CPU and CORPUSCLE_SOAK_WEBGPU say how many kills there are, in all CPU cases together and on WebGPU.
const kills = {
  cpu: Number(process.env.CORPUSCLE_SOAK_CPU ?? runs(3, 20)),
  webgpu: Number(process.env.CORPUSCLE_SOAK_WEBGPU ?? runs(1, 5)),
};
const binary = fileURLToPath(new URL('../../packages/cli/bin/corpuscle.js', import.meta.url));
const work = new Workplace();
afterAll(() => work.remove());

/** What a run leaves that must not depend on kills. */
const OUTPUTS = ['thermo.csv', 'frames.xyz', 'g.csv', 'last.xyz'];

const yaml = (steps: number, every: number): string =>
  meltYaml({
    configuration: '{ units: lj, seed: 87287, deterministic: true }',
    global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 7 }`,
    dump_data: `
  - write_extended_xyz: { file: frames.xyz, frequency: ${2 * every} }
  - radial_distribution: { file: g.csv, bins: 20, frequency: ${every} }
  - checkpoint: { frequency: ${every} }`,
    simulation_epilog: '\n  - write_extended_xyz: { file: last.xyz }',
  });

/** Runs the command; kills it after so many milliseconds. @returns the exit code, null where it was killed. */
function corpuscle(argv: readonly string[], killAfter = Number.POSITIVE_INFINITY) {
  const child = spawn(process.execPath, [binary, 'run', ...argv], { cwd: work.root });
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  child.stdout.resume();
  const isKilled = Number.isFinite(killAfter);
  const timer = isKilled ? setTimeout(() => child.kill('SIGKILL'), killAfter) : undefined;
  return new Promise<{ code: number | null; err: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, err });
    });
  });
}

const outputsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    OUTPUTS.map((name) => [name, readFileSync(work.path(`${folder}/${name}`), 'utf8')]),
  );

/** Kills a run at random moments and goes on, again and again, until there were so many kills; the last story is completed. */
async function soak(argv: readonly string[], count: number): Promise<void> {
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
      const { code, err } = await corpuscle([...argv, '--output', folder, '--restart'], after);
      if (code === null) killed++;
      else expect(code, err).toBe(0);
      isComplete = code === 0;
    }
    expect(outputsOf(folder), `after ${killed} kills`).toEqual(expected);
    expect(readdirSync(work.path(folder)).filter((name) => name.endsWith('.ckpt'))).toHaveLength(2);
  }
}

describe('runs that are killed at random moments go on to the same bytes', () => {
  it.each([
    ['1 thread in f64', ['--threads', '1']],
    ['2 threads in f64', ['--threads', '2']],
    ['2 threads in mixed precision', ['--threads', '2', '--precision', 'mixed']],
  ] as const)('on %s', { timeout: 36_000_000 }, async (_name, more) => {
    work.clear();
    work.write({ 'in.yaml': yaml(3000, 100) });
    await soak(['in.yaml', '--backend', 'cpu', ...more], Math.ceil(kills.cpu / 3));
  });

  it('on WebGPU', { timeout: 36_000_000 }, async () => {
    work.clear();
    work.write({ 'in.yaml': yaml(150, 50) });
    work.limitSoftwareGpu();
    await soak(['in.yaml', '--backend', 'webgpu'], kills.webgpu);
  });
});
