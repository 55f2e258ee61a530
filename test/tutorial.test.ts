import { readFileSync } from 'node:fs';
import { loadSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';
import { isLong } from './support/runs.js';

const page = readFileSync(new URL('../docs/tutorial.md', import.meta.url), 'utf8');
const files = [...page.matchAll(/^```yaml (\S+)\n([\s\S]*?)^```$/gm)].map(
  ([, name, text]) => [name!, text!] as const,
);
/** The runs of the page, in order. */
const commands = [...page.matchAll(/^corpuscle (run .*)$/gm)].map(([, words]) => words!.split(' '));

const work = new Workplace();
afterAll(() => work.remove());

/** Files are named relative to the folder that the reader works in. */
const placed = (words: readonly string[]): string[] =>
  words.map((word) =>
    /^(\w+\.yaml|crystal|nvt|npt|structure|diffusion)$/.test(word) ? work.path(word) : word,
  );

it('each step is a run of argon.yaml with a file of its own', () => {
  expect(commands.map((words) => words.slice(1, 3))).toEqual(
    files.slice(1).map(([name]) => ['argon.yaml', name]),
  );
  expect(files.slice(1).map(([name]) => name.slice(0, -5))).toEqual([
    'crystal',
    'nvt',
    'npt',
    'structure',
    'diffusion',
  ]);
});

it.each(files.slice(1))('%s has no mistake', (name) => {
  const frames = ['nvt/liquid.xyz', 'npt/settled.xyz', 'structure/equilibrated.xyz'];
  work.write({
    ...Object.fromEntries(files),
    ...Object.fromEntries(frames.map((one) => [one, ''])),
  });
  const loaded = loadSimulation([work.path('argon.yaml'), work.path(name)], {
    operators: createRegistry(),
  });
  expect(loaded.root.body.length).toBeGreaterThan(0);
});

describe.runIf(isLong)('in order, with fewer steps', () => {
  it('every run begins with what the one before has left', async () => {
    work.clear();
    work.write(Object.fromEntries(files));
    for (const words of commands) {
      const argv = [...placed(words), '--backend', 'cpu', '--quiet'];
      const { code, err } = await runCli([...argv, '--set', 'global.end_iteration=600']);
      expect(err).toBe('');
      expect(code).toBe(0);
    }
    const table = readFileSync(work.path('structure/rdf.csv'), 'utf8').trim().split('\n').slice(1);
    const rows = table.map((line) => line.split(',').map(Number));
    const [first] = [...rows].sort((a, b) => b[1]! - a[1]!);
    // Rahman's first peak is at 3.7 Å.
    expect(first![0]!).toBeGreaterThan(3.5);
    expect(first![0]!).toBeLessThan(4.0);
    const { diffusion } = JSON.parse(readFileSync(work.path('diffusion/vacf.json'), 'utf8')) as {
      diffusion: { value: number };
    };
    expect(diffusion.value).toBeGreaterThan(0);
  });
});
