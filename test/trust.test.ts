import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const binary = fileURLToPath(new URL('../packages/cli/bin/corpuscle.js', import.meta.url));
const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const GLOBAL = '{ dt: 0.005, end_iteration: 2, thermo_frequency: 1 }';
/** A melt that writes its table to `file`. */
const writing = (file: string) =>
  `${meltYaml({ global: GLOBAL })}thermo: { file: ${JSON.stringify(file)} }\n`;
const run = (...more: string[]) =>
  runCli(['run', work.path('run.yaml'), '--output', work.path('out'), '--backend', 'cpu', ...more]);

describe('names of outputs', () => {
  it.each(['../up.csv', 'a/../../up.csv', 'ABSOLUTE', 'C:\\up.csv'])(
    '%s leaves the output folder only with --allow-outside',
    async (name) => {
      const file = name === 'ABSOLUTE' ? work.path('up.csv') : name;
      work.write({ 'run.yaml': writing(file) });
      const refused = await run();
      expect(refused.code).toBe(2);
      expect(refused.err).toMatch(/run\.yaml:\d+:\d+: thermo would write .*--allow-outside/);
      expect(refused.err).toContain('^');
      expect(work.files()).toEqual(['run.yaml']);
      expect((await runCli(['check', work.path('run.yaml')])).code).toBe(2);
      expect((await runCli(['check', work.path('run.yaml'), '--allow-outside'])).code).toBe(0);
      if (name.startsWith('C:')) return;
      expect(await run('--allow-outside')).toMatchObject({ code: 0, err: '' });
      expect(existsSync(work.path('up.csv'))).toBe(true);
    },
  );

  it.each(['a/b.csv', 'a/../b.csv', './b.csv', '..b.csv', '/dev/null'])(
    '%s is allowed',
    async (name) => {
      work.write({ 'run.yaml': writing(name) });
      expect(await run()).toMatchObject({ code: 0, err: '' });
    },
  );
});

it('a message that quotes a file gives the terminal none of its commands', () => {
  work.write({ 'title.xyz': '1\n\nA \u001b]0;mine\u0007 0 0\n' });
  const argv = [binary, 'convert', 'title.xyz', 'out.xyz'];
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: work.root });
  expect(status).toBe(2);
  expect(stderr.toString()).toContain('3 | A \ufffd]0;mine\ufffd 0 0');
});

describe('code of the user', () => {
  const own = (execute: string) =>
    `export const own = { name: 'own', doc: 'x', slots: {}, execute: ${execute} };`;
  const write = (module: string) =>
    work.write({
      'run.yaml': meltYaml({ global: GLOBAL, simulation_epilog: '[own]' }),
      'own.mjs': module,
    });
  const spawned = (module: string) => {
    write(module);
    const argv = [binary, 'run', 'run.yaml', '--backend', 'cpu', '--import', 'own.mjs'];
    const { status, stderr } = spawnSync(process.execPath, argv, {
      cwd: work.root,
      encoding: 'utf8',
    });
    return { code: status, err: stderr };
  };

  it.each([
    ['calls process.exit(0)', own('() => process.exit(0)'), /an operator has ended the process/],
    ['calls process.exit(0) when loaded', 'process.exit(0);', /an operator has ended the process/],
    [
      'waits for what never comes',
      own('() => new Promise(() => {})'),
      /what an operator waits for never comes/,
    ],
    [
      'awaits no promise of its own',
      own('() => void Promise.reject(new Error("lost"))'),
      /^own\.mjs:1:\d+: the run is not done: .* did not await has failed: Error: lost; files hold/,
    ],
  ])('an operator that %s is a run that failed', (_, module, message) => {
    const { code, err } = spawned(module);
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('process.exit(7) keeps its code', () => {
    expect(spawned(own('() => process.exit(7)')).code).toBe(7);
  });

  it('a bug in an operator is told as one of the operator', async () => {
    write(own('() => undefined.x'));
    const { code, err } = await run('--import', work.path('own.mjs'));
    expect(err).toMatch(/operator .*own failed: TypeError/);
    expect(err).not.toMatch(/internal error|report/);
    expect(code).toBe(1);
  });

  it('--help says that --import runs code', async () => {
    expect((await runCli(['run', '--help'])).out).toMatch(/code\s+runs\s+with\s+your\s+rights/);
  });
});
