import { Domain, FieldBlock, type Grid } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { packingValues } from '../../../src/gpu/neighbors/candidates.js';
import { GrowingBuffer } from '../../../src/gpu/residency/GrowingBuffer.js';
import { hostExtent } from '../../../src/gpu/residency/hostExtent.js';
import { makeFrame, type PositionFrame } from '../../../src/gpu/residency/PositionFrame.js';
import { CellSort } from '../../../src/gpu/sort/CellSort.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { Precision } from '../../../src/plan/chooseBackend.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import {
  closedBehindTests,
  contextWith,
  describeGpu,
  engineOf,
  gpuContext,
  wordsOf,
} from '../../support/gpu.js';

type Triple = readonly [number, number, number];
type Places = Triple[];

const random = (count: number, sides: Triple, seed = count): Places => {
  const next = sequence(seed);
  return Array.from({ length: count }, () => sides.map((side) => side * next()) as never);
};

/** A frame of so many cells of edge 1 in a periodic box. */
const frameOf = ({ domain }: Grid): PositionFrame =>
  makeFrame(domain, { lower: [0, 0, 0], upper: [1, 1, 1] }, 0.99, 2 ** 22);

const boxOf = (sides: Triple): Domain => Domain.orthorhombic(sides);

/** Sorts grids of one context, again and again with the same scratch, and compares with a stable sort on the host. */
class CheckedSort {
  readonly #ctx: ExecutionContext;
  readonly #sort: CellSort;
  readonly #start: GrowingBuffer;

  constructor(ctx: ExecutionContext) {
    const { gpu } = engineOf(ctx);
    this.#ctx = ctx;
    this.#sort = new CellSort(gpu);
    this.#start = new GrowingBuffer(gpu, 'start');
  }

  async run(grid: Grid, frame: PositionFrame, radius: number | null = null): Promise<void> {
    const { residency } = engineOf(this.#ctx);
    const { count } = grid;
    await newestOnHost(grid, this.#ctx);
    const before = ['id', 'rx', 'ry', 'rz'].map((name) => grid.values(name));
    const packing = radius === null ? null : packingValues(frame, radius);
    const sorted = this.#sort.run(grid, residency, frame, this.#start, packing);
    expect(sorted.candidates === null).toBe(packing === null);
    const [nx, ny, nz] = frame.dims;
    const rows = await this.#words(sorted.position.buffer, 4 * count);
    const start = await this.#words(this.#start.buffer, nx * ny * nz + 1);
    await newestOnHost(grid, this.#ctx);
    const [ids, ...places] = ['id', 'rx', 'ry', 'rz'].map((name) => grid.values(name));

    // The cell of each id, as the device has it; what it should be, the tests of positions and lists say.
    const cellOf = new Map<number, number>();
    for (let row = 0; row < count; row++) {
      const cell = rows[4 * row + 3]!;
      const linear = (((cell >>> 20) & 1023) * ny + ((cell >>> 10) & 1023)) * nx + (cell & 1023);
      cellOf.set(ids![row]!, linear);
    }
    const wantedStart = new Uint32Array(nx * ny * nz + 1);
    for (const cell of cellOf.values()) wantedStart[cell + 1]!++;
    for (let k = 1; k < wantedStart.length; k++) wantedStart[k]! += wantedStart[k - 1]!;
    expect(start.findIndex((row, k) => row !== wantedStart[k])).toBe(-1);

    const order = [...before[0]!.keys()];
    const cells = Array.from(before[0]!, (id) => cellOf.get(id)!);
    order.sort((a, b) => cells[a]! - cells[b]! || a - b);
    expect(order.findIndex((old, row) => before[0]![old] !== ids![row])).toBe(-1);
    const fractional = ([x, y, z]: readonly Float64Array[], row: number) =>
      grid.domain.toFractional(x![row]!, y![row]!, z![row]!);
    const isElsewhere = (old: number, row: number): boolean => {
      const was = fractional(before.slice(1), old);
      // Some have been brought back through a face.
      return fractional(places, row).some((now, k) => {
        const moved = now - was[k]!;
        return Math.abs(moved - Math.round(moved)) > 1e-5;
      });
    };
    expect(order.findIndex(isElsewhere)).toBe(-1);
  }

  async #words(buffer: GPUBuffer, count: number): Promise<Uint32Array> {
    return new Uint32Array(await wordsOf(this.#ctx, buffer, count));
  }

  free(): void {
    this.#start.free();
  }
}

describeGpu('cells of a sort on WebGPU', () => {
  const opened = closedBehindTests();

  const along = ([x, y, z]: Triple): number =>
    Math.floor(x) + 1e3 * Math.floor(y) + 1e6 * Math.floor(z);
  const orders: Readonly<Record<string, (places: Places) => Places>> = {
    ascending: (places) => places.sort((a, b) => along(a) - along(b)),
    descending: (places) => places.sort((a, b) => along(b) - along(a)),
    random: (places) => places,
  };

  it.each(
    runs(
      ['descending'],
      Object.keys(orders).filter((name) => name !== 'descending'),
    ),
  )(
    'begin where all particles of the cells before them end, of particles in %s order',
    async (order) => {
      const ctx = await opened(gpuContext());
      const sort = new CheckedSort(ctx);
      // Tiles have 128 cells, or 512 where there are many. Larger and smaller sorts follow each other, which find zeros where others have counted, also
      // where more cells fit the buffer of many particles.
      const boxes: [count: number, ...sides: Triple][] = [
        [3, 1, 1, 1],
        [1000, 512, 1, 1],
        [20_001, 100, 70, 10],
        [77, 5, 1, 1],
        [1500, 19, 27, 1],
        [20_000, 400, 20, 50],
        [999, 410, 20, 51],
        [20_001, 100, 9, 10],
        [20_001, 100, 70, 10],
        [4000, 64, 64, 2],
      ];
      for (const [count, ...sides] of boxes) {
        const places = orders[order]!(random(count, sides));
        const grid = gridOf(ctx.heap, boxOf(sides), places);
        await sort.run(grid, frameOf(grid));
        grid.free();
      }
      sort.free();
    },
  );

  it('take all particles or none, in the order of their rows', async () => {
    const ctx = await opened(gpuContext());
    const sort = new CheckedSort(ctx);
    for (const sides of [
      [40, 30, 3],
      [400, 300, 3],
    ] as Triple[]) {
      const [nx, ny, nz] = sides;
      const cells = nx * ny * nz;
      // All in the first cell, in the last one, in one in the middle, and in two far from each other.
      const places = [[0], [cells - 1], [cells / 2], [10, cells - 700]];
      for (const full of cells < 5000 ? places : runs(places.slice(3), places.slice(0, 3))) {
        const places = random(1500, [1, 1, 1]).map(([x, y, z], k): Triple => {
          const cell = full[k % full.length]!;
          return [
            x + (cell % nx),
            y + (Math.floor(cell / nx) % ny),
            z + Math.floor(cell / nx / ny),
          ];
        });
        const grid = gridOf(ctx.heap, boxOf(sides), places);
        await sort.run(grid, frameOf(grid));
        grid.free();
      }
    }
    sort.free();
  });

  const triclinic = Domain.triclinic([30, 0, 0, 9, 20, 0, -5, 4, 10]);
  const open = Domain.orthorhombic([30, 20, 10], { periodic: [true, false, false] });
  const worlds: Readonly<
    Record<string, { domain?: Domain; buffers?: number; precision?: Precision }>
  > = {
    'a triclinic box': { domain: triclinic },
    'an open box': { domain: open },
    'kernels with eight buffers': { buffers: 8 },
    'kernels with four buffers': { buffers: 4 },
    'a state in double-single': { precision: 'f64' },
    'a state in double-single and kernels with eight buffers': { precision: 'f64', buffers: 8 },
  };

  itOnce.each(Object.keys(worlds))('are sorted stably in %s', async (world) => {
    const { domain, buffers, precision } = worlds[world]!;
    const limits = buffers ? { maxStorageBuffersPerShaderStage: buffers } : {};
    const ctx = await opened(contextWith(limits, precision));
    const sort = new CheckedSort(ctx);
    const sides: Triple = [30, 20, 10];
    const grid = gridOf(ctx.heap, domain ?? boxOf(sides), random(2500, sides));
    const extent = hostExtent(grid.domain, grid.block('position'), grid.count);
    const frame = (width: number) => makeFrame(grid.domain, extent, width, 2 ** 16);
    // Candidates want rectangular cells. A second frame: rows are no longer in the order of ids.
    const radius = domain ? null : 2;
    await sort.run(grid, frame(1.1), radius);
    await sort.run(grid, frame(1.1), null);
    await sort.run(grid, frame(2.3), radius);
    await sort.run(grid, frame(0.9), radius);
    sort.free();
    grid.free();
  });

  itOnce('leave the rows after the particles where they are', async () => {
    const ctx = await opened(gpuContext());
    const { gpu, residency } = engineOf(ctx);
    const sides: Triple = [30, 20, 10];
    const count = 1234;
    const grid = gridOf(ctx.heap, boxOf(sides), random(count, sides));
    const frame = frameOf(grid);
    const padding = new Uint32Array(4 * FieldBlock.PADDING).map((_, k) => 7919 * (k + 1));
    const { buffer } = residency.ensurePositions(grid, frame);
    gpu.stream.upload(buffer, new Uint8Array(padding.buffer), 16 * count);
    const start = new GrowingBuffer(gpu, 'start');
    const { position } = new CellSort(gpu).run(grid, residency, frame, start, null);
    expect(position.buffer).not.toBe(buffer);
    const readback = gpu.stream.read(position.buffer, padding.byteLength, 16 * count);
    readback.flush();
    expect(new Uint32Array(await readback.data)).toEqual(padding);
    start.free();
    grid.free();
  });
});
