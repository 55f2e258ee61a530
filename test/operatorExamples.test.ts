import { loadSimulation } from '@corpuscle/core';
import { createRegistry, exampleFile, withReferences } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';
import { isLong } from './support/runs.js';

const registry = await withReferences(createRegistry());
const names = [...registry.operators, ...registry.composites]
  .map(({ name }) => name)
  .filter((name) => registry.partOf(name) === undefined)
  .sort();

const work = new Workplace();
afterAll(() => work.remove());

/** Puts an example and its files into a folder, and says where it is. */
function written(name: string): string {
  const reference = registry.reference(name)!;
  const files = Object.entries(reference.files ?? {}).map(([file, text]) => [
    `${name}/${file}`,
    text,
  ]);
  work.write({ [`${name}/${name}.yaml`]: exampleFile(reference), ...Object.fromEntries(files) });
  return work.path(`${name}/${name}.yaml`);
}

it('every operator has an example', () => {
  expect(names.filter((name) => registry.reference(name) === undefined)).toEqual([]);
});

it.each(names)('%s: its example names it and has no mistake', (name) => {
  const path = written(name);
  const { after, example } = registry.reference(name)!;
  if (after !== undefined) for (const [file, text] of missing(name)) work.write({ [file]: text });
  const simulation = loadSimulation([path], { operators: createRegistry() });
  expect(simulation.root.body.length).toBeGreaterThan(0);
  const common = ['lattice', 'init_temperature', 'begin_run', 'end_time_step'];
  if (!common.includes(name)) expect(`${example}${exampleFile({ example })}`).toContain(name);
});

/** Files that another example writes first; `check` looks only whether they are there. */
const missing = (name: string): [string, string][] =>
  [...exampleFile(registry.reference(name)!).matchAll(/- read_\w+: \{ file: ([\w.]+)/g)].map(
    ([, file]) => [`${name}/${file}`, ''],
  );

describe.runIf(isLong)('run', () => {
  it.each(names)('%s', async (name) => {
    const { after } = registry.reference(name)!;
    const run = (path: string) =>
      runCli(['run', path, '--backend', 'cpu', '--quiet', '--output', work.path(name)]);
    if (after !== undefined) expect((await run(written(after))).err).toBe('');
    const { code, err } = await run(written(name));
    expect(err).toBe('');
    expect(code).toBe(0);
  });
});
