import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Domain, Grid, OutputFolder } from '@corpuscle/core';
import {
  completed,
  copyParticles,
  createExecutionContext,
  type ExecutionContext,
  type ParticleCopy,
  pending,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dcdWriter } from '../dcd/dcdWriter.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { gridFrame } from '../frames/gridFrame.js';
import { outputTarget } from '../frames/outputTarget.js';
import { particlesOf } from '../frames/ParticleSource.js';
import { textWriter } from '../frames/textWriter.js';
import { gsdWriter } from '../gsd/gsdWriter.js';
import { xtcWriter } from '../xtc/xtcWriter.js';
import { FrameQueue } from './FrameQueue.js';
import type { FrameTask } from './frameTask.js';
import type { SoundTask } from './soundFrame.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-frames-'));
let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(async () => {
  await ctx.close();
  rmSync(folder, { recursive: true });
});

const columns = ['id', 'element', 'x', 'y', 'z'];
/** Frames that are made in the thread, and others between them. */
const counts = [10_000, 5, 9000, 20_000, 3, 4, 10_000, 12_000, 10_000];

async function particles(step: number, count: number): Promise<ParticleCopy> {
  const grid = new Grid(ctx.heap, Domain.orthorhombic([9, 9, 9]));
  grid.resize(count);
  const names = ['rx', 'ry', 'rz', 'vx'];
  names.forEach((name, k) => {
    grid.setValues(
      name,
      Float64Array.from({ length: count }, (_, row) => Math.sin(3 * row + k + step) + 2),
    );
  });
  grid.setValues(
    'id',
    Array.from({ length: count }, (_, row) => count - row),
  );
  const copy = await copyParticles(grid, ctx, ['position', 'velocity', 'type', 'id']);
  grid.free();
  return copy;
}

const taskFor = (writer: FrameWriter, step: number): FrameTask => ({
  ...{ kind: 'frame', step, time: step / 10, group: 'all', bonds: null },
  options: { species: ['A'], fields: ['velocity'] },
  scale: { length: 2, time: 1 },
  encoder: writer.encoding?.call ?? null,
});

function push(queue: FrameQueue, writer: FrameWriter, step: number, copy: ParticleCopy) {
  const { encoding } = writer;
  const handle = pending(Promise.resolve(copy));
  const add = (made: unknown, onWritten?: () => void) =>
    encoding!.add(made, { isAlone: false, onWritten });
  return queue.push(handle, copy.count, taskFor(writer, step), add);
}

/** The file of frames that are written one after the other, without a queue. */
async function written(name: string, open: Open, frames: readonly ParticleCopy[]): Promise<Buffer> {
  const output = new OutputFolder(folder, { older: 'replace' });
  const writer = open(outputTarget(output, name));
  for (const [step, copy] of frames.entries()) {
    const source = particlesOf(copy);
    const frame = gridFrame(source, {
      species: ['A'],
      fields: ['velocity'],
      step,
      time: step / 10,
    });
    const position = frame.position.map((value) => 2 * value);
    const velocity = frame.velocity!.map((value) => 2 * value);
    await writer.write({
      ...{ ...frame, position, velocity },
      lattice: frame.lattice!.map((value) => 2 * value),
    });
  }
  await writer.close();
  await output.close();
  return readFileSync(join(folder, name));
}

type Open = (target: FrameTarget) => FrameWriter;
const dump: Open = (target) => textWriter(target, 'lammps_dump', columns);
const text = (name: string, file: Buffer) =>
  (name.endsWith('.gz') ? gunzipSync(file) : file).toString();

describe('frames on their way', () => {
  it.each(['a.dump', 'a.dump.gz'])('of all sizes are in %s in their order', async (name) => {
    const copies = await Promise.all(counts.map((count, step) => particles(step, count)));
    const expected = await written(`plain-${name}`, dump, copies);
    const output = new OutputFolder(folder, { older: 'replace' });
    const writer = dump(outputTarget(output, name));
    const queue = new FrameQueue();
    for (const [step, copy] of copies.entries()) void push(queue, writer, step, copy);
    await queue.settle(); // all frames so far are in the file, as for a checkpoint
    await writer.save?.();
    const bytes = output.positions()[name]!;
    await output.flush();
    expect(readFileSync(join(folder, name))).toHaveLength(bytes);
    await queue.close();
    await writer.close();
    await output.close();
    expect(text(name, readFileSync(join(folder, name)))).toBe(text(name, expected));
  });

  it.each([
    ['b.gsd', gsdWriter, counts],
    ['b.dcd', dcdWriter, [10_000, 10_000, 10_000]],
    ['b.xtc', (target: FrameTarget) => xtcWriter(target), counts],
  ] as const)('are in %s as if each was written at once', async (name, open, sizes) => {
    const copies = await Promise.all(sizes.map((count, step) => particles(step, count)));
    const expected = await written(`plain-${name}`, open, copies);
    const output = new OutputFolder(folder, { older: 'replace' });
    const writer = open(outputTarget(output, name));
    const queue = new FrameQueue();
    for (const [step, copy] of copies.entries()) void push(queue, writer, step, copy);
    await queue.settle();
    await queue.close();
    await writer.close();
    await output.close();
    expect(readFileSync(join(folder, name)).equals(expected)).toBe(true);
  });

  it.each([
    ['f.dump', dump],
    ['f.gsd', gsdWriter],
    ['f.xtc', (target: FrameTarget) => xtcWriter(target)],
  ] as const)('are the same in %s where memory is used again', async (name, open) => {
    const sizes = [10_000, 10_000, 20_000, 10_000, 10_000, 10_000];
    const copies = await Promise.all(sizes.map((count, step) => particles(step, count)));
    const expected = await written(`plain-${name}`, open, copies);
    const output = new OutputFolder(folder, { older: 'replace' });
    const writer = open(outputTarget(output, name));
    const queue = new FrameQueue();
    const spares = [];
    for (const [step, copy] of copies.entries()) {
      void push(queue, writer, step, copy);
      await queue.settle();
      await output.flush();
      spares.push(queue.spareCopy());
      expect(queue.spareCopy()).toBeUndefined();
    }
    await queue.close();
    await writer.close();
    await output.close();
    expect(readFileSync(join(folder, name)).equals(expected)).toBe(true);
    expect(spares.map((spare) => spare?.count)).toEqual(sizes);
  });

  it('are written when a run fails', async () => {
    const copies = await Promise.all([0, 2, 3].map((step) => particles(step, counts[step]!)));
    const expected = await written('plain-c.dump', dump, copies);
    const output = new OutputFolder(folder, { older: 'replace' });
    const writer = dump(outputTarget(output, 'c.dump'));
    const queue = new FrameQueue();
    for (const [step, copy] of copies.entries()) void push(queue, writer, step, copy);
    await queue.close();
    await output.close();
    expect(readFileSync(join(folder, 'c.dump')).equals(expected)).toBe(true);
  });

  it('fail with one error, in a later call', async () => {
    const output = new OutputFolder(folder, { older: 'replace' });
    const writer = textWriter(outputTarget(output, 'd.dump'), 'lammps_dump', ['id', 'q']);
    const queue = new FrameQueue();
    void push(queue, writer, 0, await particles(0, 10_000));
    const failure = { code: 'INVALID_VALUE', message: /nothing for the column 'q'/ };
    await expect(queue.settle()).rejects.toMatchObject({
      ...failure,
      message: expect.stringMatching(failure.message),
    });
    await expect(
      (async () => push(queue, writer, 1, await particles(1, 10)))(),
    ).rejects.toMatchObject({ code: failure.code });
    await queue.close();
    await output.close();
  });

  it('of few particles are handed on at once', async () => {
    const made: unknown[] = [];
    const queue = new FrameQueue();
    const copy = await particles(0, 4);
    const task: FrameTask = {
      ...taskFor({} as FrameWriter, 0),
      kind: 'frame',
      encoder: null,
    } as FrameTask;
    void queue.push(completed(copy), 4, task, (frame) => {
      made.push(frame);
    });
    expect(made).toMatchObject([{ count: 4, step: 0 }]);
  });

  it('carry the last good state when it is due', async () => {
    const species = ['A'];
    const kept: (ParticleFrame | null)[] = [];
    const lastGood = {
      due: (_: unknown, { step, time }: { step: number; time: number }): SoundTask | null =>
        step === 8 ? null : { species, fields: ['velocity'], step, time, dt: step === 9 ? 99 : 1 },
      keep: (frame: ParticleFrame | null) => void kept.push(frame),
    };
    const queue = new FrameQueue(() => lastGood);
    const output = new OutputFolder(folder, { older: 'replace' });
    const writer = dump(outputTarget(output, 'e.dump'));
    for (const step of [7, 8, 9]) void push(queue, writer, step, await particles(step, 10_000));
    await queue.settle();
    expect(kept.map((frame) => frame?.step)).toEqual([7, undefined, undefined]);
    expect(kept[0]!.position[0]).toBe(Math.sin(3 * 9999 + 7) + 2); // by id
    await queue.close();
    await output.close();
  });
});
