import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, Workplace } from './support/runCli.js';

// The command as users have it: built, its own process.
const binary = fileURLToPath(new URL('../packages/cli/bin/corpuscle.js', import.meta.url));
const melt = fileURLToPath(new URL('../examples/01-lj-melt.yaml', import.meta.url));
const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function corpuscle(
  argv: readonly string[],
  options: SpawnOptions & { readonly interruptAt?: RegExp } = {},
  program = binary,
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...argv], { cwd: work.root, ...options });
  let out = '';
  let err = '';
  let interrupted = false;
  child.stdout!.on('data', (data) => {
    out += data;
    if (!interrupted && options.interruptAt?.test(out)) {
      interrupted = true;
      child.kill('SIGINT');
    }
  });
  child.stderr!.on('data', (data) => {
    err += data;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('the built command', () => {
  it('completes the run when the reader of its table has ended', async () => {
    work.write({ 'run.yaml': meltYaml({ global: '{ dt: 0.005, end_iteration: 300 }' }) });
    const argv = [binary, 'run', 'run.yaml', '--backend', 'cpu', '--set', 'thermo.frequency=1'];
    const child = spawn(process.execPath, argv, { cwd: work.root });
    let err = '';
    child.stderr.on('data', (data) => {
      err += data;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(work.files()).toEqual(['run.yaml', 'thermo.csv']);
  });

  it('steps 1,000,000 atoms in less than 1.5 GiB', async () => {
    work.write({
      'run.yaml': meltYaml({
        global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 2, thermo_frequency: 1 }',
        setup_system:
          '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [63, 63, 63] }\n  - init_temperature: { temperature: 1.44 }',
      }),
      // The command itself, with a last line that says how much memory it took.
      'measured.mjs': `process.on('exit', () => console.error(process.resourceUsage().maxRSS));\nawait import(${JSON.stringify(pathToFileURL(binary).href)});\n`,
    });
    const argv = ['run', 'run.yaml', '--backend', 'cpu', '--output', 'out'];
    const result = await corpuscle(argv, {}, work.path('measured.mjs'));
    expect(result.code, result.err).toBe(0);
    expect(result.out).toMatch(/atoms +1,000,188\n/);
    const kibibytes = Number(result.err.trim());
    expect(kibibytes).toBeGreaterThan(300 * 1024);
    expect(kibibytes).toBeLessThan(1.5 * 2 ** 20);
  });

  it('runs the example from any directory, without progress when piped, and exits by itself', async () => {
    const result = await corpuscle([
      'run',
      melt,
      '--output',
      'out',
      '--set',
      'global.end_iteration=100',
    ]);
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(result.out).toMatch(/atoms +4,000\n/);
    expect(result.out).not.toContain('\r');
    expect(work.files()).toEqual(['out/thermo.csv']);
  });

  it('finishes the step and closes files when it is interrupted: exit code 130', async () => {
    work.write({
      'run.yaml': meltYaml({
        global: '{ dt: 0.001, end_iteration: 10000000, thermo_frequency: 10 }',
      }),
    });
    const result = await corpuscle(['run', 'run.yaml', '--backend', 'cpu'], {
      interruptAt: /\n +50 /,
    });
    expect(result.code, result.err).toBe(130);
    expect(result.err).toMatch(/interrupted/);
    expect(result.out).toMatch(/steps +[\d,]+ in /);
    expect(work.files()).toEqual(['run.yaml', 'thermo.csv']);
  });

  it('says why there is no adapter: exit code 1', async () => {
    work.write({ 'run.yaml': meltYaml() });
    const env = { ...process.env, VK_DRIVER_FILES: '/nowhere', VK_ICD_FILENAMES: '/nowhere' };
    delete (env as NodeJS.ProcessEnv).CORPUSCLE_SOFTWARE_GPU;
    const result = await corpuscle(['run', 'run.yaml', '--backend', 'webgpu'], { env });
    expect(result.code, result.err).toBe(1);
    expect(result.err).toMatch(/webgpu was asked for, but /);
    expect(work.files()).toEqual(['run.yaml']);
    const auto = await corpuscle(['run', 'run.yaml', '--backend', 'auto'], { env });
    expect(auto.code, auto.err).toBe(0);
    expect(auto.out).toMatch(/backend +cpu \(.+\)/);
  });

  it('points at a mistake with a caret: exit code 2', async () => {
    work.write({ 'run.yaml': meltYaml({ global: '{ dt: 0.005, end_iteraton: 5 }' }) });
    const result = await corpuscle(['run', 'run.yaml']);
    expect(result.code).toBe(2);
    expect(result.out).toBe('');
    expect(result.err).toMatch(/^run\.yaml:2:22: .*end_iteraton.*\n.*\n.*\^/);
    expect(existsSync(work.path('thermo.csv'))).toBe(false);
  });
});
