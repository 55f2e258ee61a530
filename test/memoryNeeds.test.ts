import { SharedHeap, withoutWideAddresses } from '@corpuscle/core';
import { memoryNeeds } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';
import { runText } from './support/runText.js';

const MiB = 2 ** 20;
const melt = (repeat: number, more = '') =>
  meltYaml({
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 1, thermo_frequency: 1 }',
    setup_system: `\n  - lattice: { structure: fcc, density: 0.8442, repeat: [${repeat}, ${repeat}, ${repeat}], types: [A] }${more}`,
  });
const smallContext = (mebibytes: number) =>
  createExecutionContext({
    backend: 'cpu',
    threads: 1,
    heap: new SharedHeap(16, mebibytes * 16),
  });

describe('particles that do not fit', () => {
  const work = new Workplace();
  afterEach(() => work.clear());
  afterAll(() => work.remove());

  it.each([
    ['a lattice', melt(20), '32,000'],
    ['a replicated box', melt(10, '\n  - replicate: { repeat: [2, 2, 2] }'), '32,000'],
  ])(
    '%s: a sentence says what is needed and how many fit, and nothing is allocated',
    async (_, text, count) => {
      await using context = await smallContext(8);
      await expect(runText(text, context)).rejects.toMatchObject({
        code: 'OUT_OF_MEMORY',
        message: expect.stringMatching(
          new RegExp(
            `${count} particles need at least 0\\.0\\d+ GiB, 0\\.00\\d+ GiB of it neighbor lists, and one process addresses 0\\.00781 GiB: at most 1\\d,\\d{3} fit here; use fewer particles, a shorter cutoff or several ranks`,
          ),
        ),
      });
      expect(context.heap.allocatedBytes).toBeLessThan(4 * MiB);
    },
  );

  it('what is asked for at least is less than what a run takes, by no more than half', async () => {
    await using context = await createExecutionContext({ backend: 'cpu', threads: 2 });
    const { result, grid } = await runText(melt(20), context);
    const { heap } = memoryNeeds(result.state, { count: grid.count, volume: grid.domain.volume });
    expect(heap / context.heap.allocatedBytes).toBeGreaterThan(0.5);
    expect(heap / context.heap.allocatedBytes).toBeLessThan(1);
  });

  it('the command says so at once, also with --dry-run, which else tells the room', async () => {
    work.write({ 'big.yaml': melt(250), 'small.yaml': melt(4) });
    for (const more of [[], ['--dry-run']]) {
      const big = await runCli(['run', work.path('big.yaml'), '--backend', 'cpu', ...more]);
      expect(big.code).toBe(1);
      expect(big.err).toMatch(/62,500,000 particles need at least .* fit here/);
      expect(big.err).toContain(withoutWideAddresses);
    }
    const small = await runCli(['run', work.path('small.yaml'), '--backend', 'cpu', '--dry-run']);
    expect(small.out).toMatch(/^room +.* at least; for \d+,\d{3},\d{3} such atoms$/m);
  });
});
