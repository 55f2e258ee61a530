import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { meltYaml, runCli, Workplace } from '../../../../test/support/runCli.js';

vi.mock('@corpuscle/patterns', async (original) => {
  const actual = await original<typeof import('@corpuscle/patterns')>();
  return { ...actual, createExecutionContext: vi.fn(actual.createExecutionContext) };
});

const work = new Workplace();
afterAll(() => work.remove());
beforeEach(() => vi.mocked(createExecutionContext).mockClear());

async function contextOf(configuration: string, ...options: string[]) {
  work.write({
    'run.yaml': meltYaml({
      configuration,
      global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 0 }',
    }),
  });
  const argv = ['run', work.path('run.yaml'), '--output', work.path('out'), ...options];
  const { code, out, err } = await runCli(argv);
  expect(code, err).toBe(0);
  return { options: vi.mocked(createExecutionContext).mock.lastCall?.[0], out };
}

it('makes the context that the configuration of the file asks for', async () => {
  const { options, out } = await contextOf(
    '{ units: lj, backend: cpu, threads: 1, precision: mixed, deterministic: true }',
  );
  expect(options).toMatchObject({
    backend: 'cpu',
    threads: 1,
    precision: 'mixed',
    deterministic: true,
  });
  expect(out).toMatch(/precision +mixed\n/);
});

it('lets options win over the configuration', async () => {
  const { options } = await contextOf(
    '{ units: lj, backend: auto, threads: 2, precision: mixed }',
    ...['--backend', 'cpu', '--threads', '1', '--precision', 'f64'],
  );
  expect(options).toMatchObject({
    backend: 'cpu',
    threads: 1,
    precision: 'f64',
    deterministic: false,
  });
});
