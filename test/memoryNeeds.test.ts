import { CorpuscleError, SharedHeap, withoutWideAddresses } from '@corpuscle/core';
import { memoryNeeds } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
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

  it('a box that is repeated again and again: the sentence says how often it was', async () => {
    const again = "{ condition: 'step % 2 == 0', body: [replicate: { repeat: [2, 2, 2] }] }";
    const text = melt(5, `\nafter_drift: [${again}]`).replace(
      'end_iteration: 1,',
      'end_iteration: 9,',
    );
    await using context = await smallContext(12);
    await expect(runText(text, context)).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(
        /^replicate has repeated the box once in this run, give it a condition that holds once: 32,000 particles need/,
      ),
    });
  });

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

describe('particles that do not fit a device', () => {
  let context: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    context = await createExecutionContext({ backend: 'webgpu', precision: 'f32' });
  });
  afterAll(() => context.close());
  const engine = () => context.engines.accelerator as GpuEngine;

  /** Runs with another device limit, or another memory. */
  async function refused(text: string, change: object): Promise<unknown> {
    const { gpu } = engine();
    const kept = Object.getOwnPropertyDescriptors(gpu);
    const before = gpu.counters.allocatedBytes;
    for (const [name, value] of Object.entries(change))
      Object.defineProperty(gpu, name, { value, configurable: true, writable: true });
    const error = await runText(text, context).catch((thrown: unknown) => thrown);
    for (const name of Object.keys(change))
      if (kept[name as keyof typeof kept]) Object.defineProperty(gpu, name, kept[name]!);
      else Reflect.deleteProperty(gpu, name);
    expect(gpu.counters.allocatedBytes).toBe(before);
    return error;
  }

  it('whose rows no buffer can hold that kernels see: a sentence says what is needed, and nothing is allocated', async () => {
    expect(await refused(melt(20), { mostBytes: 2 ** 18 })).toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringContaining(
        "32,000 particles need 0.000477 GiB for 'position' alone, and kernels of this GPU see 0.000244 GiB of one buffer: at most 16,368 fit here; use fewer particles, precision f32, or several ranks",
      ),
    });
  });

  it('for which its memory does not suffice', async () => {
    const room = (wanted: number) => Math.min(wanted, 2 ** 30);
    const info = { ...engine().gpu.info, software: false };
    expect(await refused(melt(100), { room, info })).toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: expect.stringMatching(
        /^4,000,000 particles need at least 2\.\d+ GiB, 1\.\d+ GiB of it neighbor lists, and the GPU has 1\.0\d GiB: at most 1,\d{3},\d{3} fit here; use fewer particles, a shorter cutoff or several ranks/,
      ),
    });
  });

  it('what is asked for at least is less than what a run takes, by no more than three fifths', async () => {
    const { result, grid } = await runText(melt(20), context);
    const { heap } = memoryNeeds(result.state, { count: grid.count, volume: grid.domain.volume });
    const { allocatedBytes } = engine().gpu.counters;
    expect(heap / allocatedBytes).toBeGreaterThan(0.4);
    expect(heap / allocatedBytes).toBeLessThan(1);
    expect(context.heap.allocatedBytes).toBeLessThan(MiB);
  });

  it('when their lists outgrow the memory of the device during the run: the run says so', async () => {
    const { gpu } = engine();
    const make = gpu.buffer.bind(gpu);
    let lists = 0;
    gpu.buffer = (label, bytes) => {
      if (label === 'neighbor lists' && ++lists > 1)
        throw new CorpuscleError('OUT_OF_MEMORY', 'the GPU ran out of memory');
      return make(label, bytes);
    };
    const hot = melt(7, '\n  - init_temperature: { temperature: 3 }');
    const text = hot.replace('end_iteration: 1', 'end_iteration: 40');
    await expect(runText(text, context)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(lists).toBe(2);
    Reflect.deleteProperty(gpu, 'buffer');
    const { grid } = await runText(text, context);
    expect(grid.count).toBe(1372);
  });

  it('room is what the device gives, and is given back', () => {
    const { gpu } = engine();
    const before = gpu.counters.allocatedBytes;
    expect(gpu.room(3 * 2 ** 26)).toBe(3 * 2 ** 26);
    expect(gpu.counters.allocatedBytes).toBe(before);
  });
});

// After the context above is closed: the command gets its device, with all that is compiled.
it('--dry-run tells the room of a device', async () => {
  const work = new Workplace();
  work.write({ 'small.yaml': melt(4) });
  const args = ['run', work.path('small.yaml'), '--backend', 'webgpu', '--dry-run'];
  const { out } = await runCli(args);
  work.remove();
  expect(out).toMatch(/^room +[\d.]+ \w+ of [\d.]+ MiB at least; for \d+,\d{3},\d{3} such atoms$/m);
});
