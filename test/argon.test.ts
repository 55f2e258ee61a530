import { readFileSync } from 'node:fs';
import { createExecutionContext } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { runText } from './support/runText.js';

const text = readFileSync(new URL('../examples/12-argon.yaml', import.meta.url), 'utf8');

/** The same story in a tenth of the steps. */
const shorter = text.replace(/steps: (\d+)/g, (_, steps: string) => `steps: ${Number(steps) / 10}`);

it('is told in fewer than 60 lines', () => {
  expect(text.split('\n').length).toBeLessThan(60);
});

it('melts argon, finds its density at 1 bar, and measures at constant energy', async () => {
  await using context = await createExecutionContext({ backend: 'cpu', threads: 2 });
  const { grid, table } = await runText(shorter, context);
  const { step, total_energy: energy, temperature } = table as Record<string, number[]>;
  expect(step!.at(-1)).toBe(20_000 / 10);
  // In the last run, of constant energy, only rounding and the time step change it: 1 meV of 20 eV.
  const from = step!.findIndex((n) => n > 10_000 / 10);
  const last = energy!.slice(from);
  expect(Math.max(...last) - Math.min(...last)).toBeLessThan(2e-3);
  expect(temperature!.at(-1)).toBeGreaterThan(60);
  expect(temperature!.at(-1)).toBeLessThan(140);
  // Atoms in Å³: the liquid has 0.0213, the hot one that has had 2 ps at 1 bar less.
  const density = grid.count / grid.domain.volume;
  expect(density).toBeGreaterThan(0.012);
  expect(density).toBeLessThan(0.0225);
});
