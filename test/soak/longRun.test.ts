import { afterAll, expect, it } from 'vitest';
import { Workplace } from '../support/runCli.js';
import { itLong } from '../support/runs.js';
import { memoryOfRun } from './memoryOfRun.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Linux tells the memory of other processes. */
const itHere = process.platform === 'linux' ? itLong : it.skip;
const STEPS = Number(process.env.CORPUSCLE_STEPS ?? 500_000);
/** MiB by which the second half of a run may add to the first: the heap of JavaScript grows and shrinks. */
const MORE = 32;

itHere(
  `${STEPS} steps with a table, frames and checkpoints need no more memory at their end than in their middle`,
  async () => {
    const options = ['--backend', 'cpu', '--threads', '1'];
    const { code, err, resident } = await memoryOfRun(work, { steps: STEPS, repeat: 4, options });
    expect(code, err).toBe(0);
    process.stderr.write(`${STEPS} steps: at most ${resident.join(' and ')} MiB by halves\n`);
    expect(resident[0]).toBeGreaterThan(50);
    expect(resident[1]).toBeLessThan(resident[0] + MORE);
  },
  36_000_000,
);
