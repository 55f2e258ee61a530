import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../../test/support/runCli.js';
import { isLong, itOnce } from '../../../../test/support/runs.js';
import { formatError } from '../../src/output/formatError.js';
import { wrap } from '../../src/output/wrap.js';

describe('corpuscle completion', () => {
  itOnce('completes commands, options and nothing else in bash', async () => {
    const { code, out } = await runCli(['completion', 'bash']);
    expect(code).toBe(0);
    const ask = (words: string) => {
      const script = `${out}\nCOMP_WORDS=(corpuscle ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _corpuscle; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
    };
    expect(ask('ini')).toBe('init');
    expect(ask('run --dry')).toBe('--dry-run');
    expect(ask('plot --me')).toBe('--mean');
  });

  itOnce.each(['zsh', 'fish', 'powershell'])('has every command for %s', async (shell) => {
    const { code, out } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    for (const name of ['init', 'run', 'check', 'plot', 'bench', 'completion'])
      expect(out).toContain(name);
  });

  itOnce('refuses other shells', async () => {
    expect((await runCli(['completion', 'sh'])).code).toBe(2);
  });
});

itOnce('info --json and operators --json are for programs', async () => {
  const machine = JSON.parse((await runCli(['info', '--json'])).out);
  expect(machine).toMatchObject({
    node: process.version,
    webgpu: { available: expect.any(Boolean) },
  });
  const [lattice] = JSON.parse((await runCli(['operators', 'lattice', '--json'])).out);
  expect(lattice).toMatchObject({ name: 'lattice', slots: { repeat: { required: true } } });
  const all = JSON.parse((await runCli(['operators', '--json'])).out);
  expect(all.length).toBeGreaterThan(100);
});

itOnce.each([
  ['viscosity', /^No operator has the name 'viscosity'[^\n]*\nstress_autocorrelation /],
  ['Thermostat', /^No [^\n]*(\n(andersen|berendsen|bussi|langevin|nose_hoover|rescale) [^\n]*){6}/],
  ['heat flux', /\nheat_flux_autocorrelation /],
])('operators finds those that speak of %s', async (word, expected) => {
  const { code, out } = await runCli(['operators', word]);
  expect(code).toBe(0);
  expect(out.replace(/\n(cell_rescale|dpd_force|nose_hoover_\w+) .*/g, '')).toMatch(expected);
  const found = JSON.parse((await runCli(['operators', word, '--json'])).out);
  expect(found.map(({ name }: { name: string }) => name)).toEqual(
    out
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0]),
  );
});

itOnce('operators says of a word that none speaks of what may be meant', async () => {
  const { code, err } = await runCli(['operators', 'langvin']);
  expect(err).toMatch(/no operator 'langvin'; did you mean 'langevin'\?/);
  expect(code).toBe(2);
});

it('bench measures one thread and more, in steps a second', async () => {
  if (!isLong) return; // the machine is measured, not the command
  const { code, out } = await runCli(['bench', '--seconds', '1', '--json']);
  expect(code).toBe(0);
  const { atoms, rows } = JSON.parse(out);
  expect(atoms).toBe(32_000);
  expect(rows[0].what).toBe('cpu, 1 thread, f64');
  for (const { stepsPerSecond } of rows) expect(stepsPerSecond).toBeGreaterThan(0);
}, 120_000);

describe('errors on a terminal', () => {
  itOnce('are in its width, with a bold place and a red caret', () => {
    const location = { file: 'a.yaml', line: 2, column: 3, frame: '  2 | x\n    | ^' };
    const error = Object.assign(new Error('there is a long sentence here'), {
      name: 'CorpuscleError',
      location,
    });
    expect(formatError(error, { terminal: true, columns: 24, color: true })).toBe(
      '\x1b[1ma.yaml:2:3\x1b[22m: there is a\n  long sentence here\n  2 | x\n    | \x1b[31m^\x1b[39m\n',
    );
    expect(formatError(error)).toBe(
      'a.yaml:2:3: there is a long sentence here\n  2 | x\n    | ^\n',
    );
  });

  itOnce('do not break words that are wider than the terminal', () => {
    expect(wrap('a verylongword b', 6)).toBe('a\n  verylongword\n  b');
  });
});
