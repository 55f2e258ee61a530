import { Domain } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createGrid } from '../../system/createGrid.js';
import { bareFrame } from '../frames/bareFrame.js';
import { gridFrame } from '../frames/gridFrame.js';
import { FrameStream } from './FrameStream.js';
import { quantizedFrame, readQuantized } from './quantized.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx.close());

const box = [8, 0, 0, 2, 7, 0, -1, 1.5, 6];

/** Particles in a triclinic box that is open along c, some of them outside. */
function grid() {
  const count = 200;
  const position = Float64Array.from({ length: 3 * count }, (_, k) => 20 * Math.sin(97 * k));
  const made = createGrid(
    {
      ...bareFrame(position, box, undefined),
      ...{ origin: [-3, 1, 20], periodic: [true, true, false] },
      species: ['A', 'B'],
      type: Uint32Array.from({ length: count }, (_, k) => k % 2),
      velocity: Float64Array.from(position, (x) => x / 7),
    },
    [
      { name: 'A', mass: 1 },
      { name: 'B', mass: 2 },
    ],
    ctx.heap,
  );
  return { made };
}

it('a streamed frame has positions to 1/131070 of the box, types, and a number of each particle', () => {
  const { made } = grid();
  const frame = gridFrame(made, { species: ['A', 'B'], fields: ['velocity'], step: 7, time: 0.5 });
  const read = readQuantized(quantizedFrame(frame, 'speed'));
  expect([read.step, read.time, read.count, read.species]).toEqual([7, 0.5, 200, ['A', 'B']]);
  expect([read.lattice, read.origin, read.periodic]).toEqual([
    frame.lattice,
    frame.origin,
    frame.periodic,
  ]);
  expect(read.type).toEqual(frame.type);
  const domain = Domain.triclinic(box);
  const extent = Array.from({ length: 200 }, (_, i) => {
    const [x, y, z] = frame.position.subarray(3 * i, 3 * i + 3);
    return domain.toFractional(x! + 3, y! - 1, z! - 20)[2];
  });
  const length = Math.max(...extent) - Math.min(...extent);
  for (let i = 0; i < 200; i++) {
    const away = [0, 1, 2].map((k) => read.position[3 * i + k]! - frame.position[3 * i + k]!);
    const s = domain.toFractional(away[0]!, away[1]!, away[2]!);
    const most = 0.5000001 / 65535;
    // Periodic particles may come back in another image.
    for (const k of [0, 1]) expect(Math.abs(s[k]! - Math.round(s[k]!))).toBeLessThanOrEqual(most);
    expect(Math.abs(s[2])).toBeLessThanOrEqual(most * length);
    const speed = Math.hypot(...frame.velocity!.subarray(3 * i, 3 * i + 3));
    expect(Math.abs((read.extra.get('speed')!.values[i] as number) - speed)).toBeLessThan(1e-4);
  }
});

it('bytes that are no frame are refused', () => {
  expect(() => readQuantized(Uint8Array.of(1))).toThrow(/no streamed frame/);
  const whole = quantizedFrame(gridFrame(grid().made, { species: [], fields: [] }), null);
  expect(() => readQuantized(whole.subarray(0, whole.length - 2))).toThrow(/one version/);
});

it('frames are left out while one is on its way, and no step waits', async () => {
  const { made } = grid();
  let arrived: () => void = () => {};
  const sent: number[] = [];
  const stream = new FrameStream({
    rate: 1e6,
    send: (bytes) =>
      new Promise((resolve) => {
        sent.push(readQuantized(bytes).step!);
        arrived = resolve;
      }),
  });
  const offer = (step: number) => stream.offer(made, ctx, { step, time: 0, species: ['A', 'B'] });
  const taken = Array.from({ length: 500 }, (_, step) => offer(step));
  expect(taken.filter(Boolean)).toHaveLength(1);
  await vi.waitFor(() => expect(sent).toEqual([0]));
  expect([stream.taken, stream.passed]).toEqual([1, 499]);
  arrived();
  await vi.waitFor(() => expect(offer(500)).toBe(true));
  expect(sent).toEqual([0, 500]);
  await stream.close();
});
