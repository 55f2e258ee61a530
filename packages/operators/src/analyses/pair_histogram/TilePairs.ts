import type { Grid } from '@corpuscle/core';
import {
  arrayOfBlock,
  blockParallelFor,
  computeCellParticles,
  createArray,
  type ExecutionContext,
  newestOnHost,
  type PatternHandle,
  parallelFor,
  type SharedArray,
} from '@corpuscle/patterns';
import { boxParamsOf } from '../../box/presentBox.js';
import { KeptArrays } from '../define/KeptArrays.js';
import {
  addLanes,
  boundTiles,
  countTilePairs,
  latticePlace,
  placeInLattice,
  TILE,
} from './countTilePairs.js';

/** Pairs of a frame that a device has counted. */
export interface TileFrame {
  /** By kind and bin. */
  readonly counts: readonly Uint32Array[];
  /** Particles of each type. */
  readonly numbers: Uint32Array;
  readonly volume: number;
}

/** Which pairs are counted: see `PairHistogramOptions`. */
export interface TilePairsOptions {
  readonly types: number;
  readonly kinds: readonly number[];
  readonly bins: number;
}

/** Frames whose counts are read together. */
const FRAMES = 64;
/** Numbers of all lanes, at most, and of all frames. */
const MOST = 1 << 23;
/** Blocks that fill a device, and those that it still gains by. */
const [FULL, BLOCKS] = [256, 1024];

/**
 * Counts pairs of particles on a device and keeps the counts there: nothing of a frame travels or is waited for. Rows that follow each other
 * should be near each other, as sorts for lists leave them: the time of others grows with the square of their number. The box is periodic.
 *
 *   frame   place │ bounds of tiles │ count, lane by lane │ add up into row k of 64    ─▶  take: all rows at once
 */
export class TilePairs {
  readonly #ctx: ExecutionContext;
  readonly #options: TilePairsOptions;
  readonly #kinds: number;
  readonly #arrays: KeptArrays;
  #rows: SharedArray | null = null;
  #volumes: number[] = [];
  /** Calls under way: they tell of writes outside of arrays. */
  #calls: PatternHandle<unknown>[] = [];

  constructor(ctx: ExecutionContext, options: TilePairsOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.#kinds = Math.max(-1, ...options.kinds) + 1;
    this.#arrays = new KeptArrays(ctx);
  }

  /** Numbers of a frame. */
  get #width(): number {
    return this.#kinds * this.#options.bins + this.#options.types;
  }

  /** Whether counts have to be taken before the next frame. */
  get isFull(): boolean {
    return this.#volumes.length === Math.max(1, Math.min(FRAMES, Math.floor(MOST / this.#width)));
  }

  /** Frames that are kept. */
  get frames(): number {
    return this.#volumes.length;
  }

  /** Counts the pairs of a frame closer than `rcut`, each once, at each of their images. The host knows the box. */
  async add(grid: Grid, rcut: number): Promise<void> {
    const ctx = this.#ctx;
    const { types, kinds, bins } = this.#options;
    const { count, domain } = grid;
    const width = this.#width;
    // What the frame before has noted has long arrived.
    await this.#checkCalls();
    grid.addBlock(latticePlace);
    const box = boxParamsOf(domain);
    computeCellParticles(grid, placeInLattice, ctx, { params: box });
    const tiles = Math.ceil(count / TILE);
    const parts = Math.max(1, Math.min(tiles, Math.ceil(FULL / tiles)));
    const room = Math.max(1, Math.floor(MOST / (width * TILE)));
    const blocks = Math.min(tiles * parts, BLOCKS, room);
    const lanes = blocks * TILE;
    const place = arrayOfBlock(grid, latticePlace.name);
    const bounds = this.#arrays.room('bounds', 'real', 6 * tiles);
    const counts = this.#arrays.room('counts', 'u32', lanes * width);
    const kind = this.#kindOf(kinds);
    this.#rows ??= createArray(ctx, 'u32', width * FRAMES);
    const params = { ...box, blocks, count, tiles, parts, bins, types, kinds: this.#kinds, rcut };
    const from = width * this.#volumes.length;
    this.#calls = [
      parallelFor(tiles, boundTiles, ctx, { arrays: { place, bounds }, params: { count } }),
      blockParallelFor(blocks, countTilePairs, ctx, {
        arrays: { place, bounds, kind, counts },
        params: { ...params, scale: bins / rcut },
        blockSize: TILE,
      }),
      blockParallelFor(width, addLanes, ctx, {
        arrays: { counts, rows: this.#rows },
        params: { lanes, from },
        blockSize: TILE,
      }),
    ];
    this.#volumes.push(domain.volume);
  }

  /** The counts of all frames since the last time, in their order. */
  async take(): Promise<TileFrame[]> {
    const volumes = this.#volumes;
    if (volumes.length === 0) return [];
    const { types, bins } = this.#options;
    await newestOnHost(this.#rows!, this.#ctx);
    await this.#checkCalls();
    const width = this.#width;
    const all = this.#rows!.values as Uint32Array;
    const ofTypes = this.#kinds * bins;
    this.#volumes = [];
    return volumes.map((volume, k) => {
      const row = all.slice(width * k, width * (k + 1));
      const counts = Array.from({ length: this.#kinds }, (_, n) =>
        row.subarray(n * bins, (n + 1) * bins),
      );
      return { counts, numbers: row.subarray(ofTypes, ofTypes + types), volume };
    });
  }

  /** Gives the memory of all arrays back. */
  close(): void {
    this.#arrays.close();
    this.#rows?.free();
    this.#rows = null;
  }

  async #checkCalls(): Promise<void> {
    const calls = this.#calls;
    this.#calls = [];
    for (const call of calls) await call;
  }

  #kindOf(kinds: readonly number[]): SharedArray {
    const known = this.#arrays.find('kind');
    return (
      known ??
      this.#arrays.write(
        'kind',
        'u32',
        kinds.map((kind) => (kind < 0 ? this.#kinds : kind)),
      )
    );
  }
}
