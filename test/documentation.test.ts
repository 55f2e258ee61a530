import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

describe.each([
  'README.md',
  'docs/simulations.md',
  'docs/pair-potentials.md',
  'docs/ensembles.md',
  'docs/sets.md',
  'docs/boxes.md',
  'docs/guide-gpu.md',
  'docs/from-hoomd.md',
  'docs/from-plumed.md',
])('%s', (name) => {
  const text = readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');
  const files = [...text.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1]!);

  it('has simulation files', () => expect(files.length).toBeGreaterThan(0));

  it.each(files)('says nothing wrong:\n%s', (yaml) => {
    work.write({ 'run.yaml': yaml, 'start.xyz': '', 'frames.xyz': '' });
    const simulation = loadSimulation([work.path('run.yaml')], { operators: createRegistry() });
    expect(simulation.root.body.length).toBeGreaterThan(0);
  });
});
