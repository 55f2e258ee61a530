import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleText, fileOf, galleryPage, pictures } from '../scripts/support/gallery.js';
import { runCli, Workplace } from './support/runCli.js';
import { isLong } from './support/runs.js';

const place = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const work = new Workplace();
afterAll(() => work.remove());

it('has 20 examples, and its page is made from them', () => {
  expect(new Set(pictures.map(({ example }) => example)).size).toBe(20);
  expect(readFileSync(place('docs/gallery.md'), 'utf8') === galleryPage(), 'pnpm run gallery').toBe(
    true,
  );
});

it('every picture is there, has less than 60 kB, and there is no other', () => {
  const files = pictures.map(fileOf);
  expect(readdirSync(place('docs/pictures')).sort()).toEqual([...files].sort());
  for (const file of files)
    expect(statSync(place(`docs/pictures/${file}`)).size, file).toBeLessThan(60_000);
});

it('every example has fewer than 60 lines', () => {
  for (const picture of pictures)
    expect(exampleText(picture).split('\n').length, picture.example).toBeLessThan(60);
});

it.each(pictures)('$example has no mistake', ({ example }) => {
  const file = place(`examples/${example}.yaml`);
  const { root } = loadSimulation([file], { operators: createRegistry() });
  expect(root.body.length).toBeGreaterThan(0);
});

describe.runIf(isLong)('run', () => {
  it.each(pictures)('$example', async ({ name, example, plot }) => {
    const output = work.path(name);
    const argv = ['run', place(`examples/${example}.yaml`), '--backend', 'cpu', '--quiet'];
    // Small ones are run to their end, and leave the table that is drawn.
    const isSmall = example.startsWith('gallery/');
    const steps = isSmall ? [] : ['--set', 'global.end_iteration=20'];
    const { code, err } = await runCli([...argv, '--output', output, ...steps]);
    expect(err).toBe('');
    expect(code).toBe(0);
    if (plot) expect(existsSync(`${output}/${plot[0]}`)).toBe(true);
  });
});
