import { CorpuscleError, type Domain, type Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { BlockMeans, type SavedBlocks } from '../averages/BlockMeans.js';
import { quotient } from '../define/quotient.js';
import { DensityWaves } from './DensityWaves.js';
import { chooseWaveVectors, lengthOf, type WaveVectors } from './waveVectors.js';

/** Which wave vectors are taken, and for which types. */
export interface StructureFactorOptions {
  /** Names of the particle types, in the order of their indices. */
  readonly types: readonly string[];
  /** The largest |q|, radians a length. */
  readonly qMax: number;
  /** Bins of equal width from 0; default 100. */
  readonly bins?: number;
  /** Wave vectors of a bin at most; default 100. */
  readonly vectors?: number;
  /** Rows of the particles that count, from fields on the host; default all. */
  readonly rows?: (grid: Grid) => Promise<Uint32Array>;
}

/** A function of q, and its standard errors from blocks of frames; NaN with one frame. */
export interface StructureCurve {
  readonly s: readonly number[];
  readonly error: readonly number[];
}

const allRows = async ({ count }: Grid): Promise<Uint32Array> =>
  Uint32Array.from({ length: count }, (_, row) => row);

/** @throws CorpuscleError INVALID_VALUE for a box that is open along an axis. */
export function checkPeriodic({ periodic }: Domain): void {
  if (periodic.includes(false))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'the box is open along an axis, so that no wave vectors fit into it: make it periodic',
    );
}

/** S(q), averaged over directions and frames. Bins without wave vectors are left out. */
export interface StructureFactorResult {
  readonly frames: number;
  /** Mean |q| of the wave vectors of each bin, and how many these are. */
  readonly q: readonly number[];
  readonly vectors: readonly number[];
  /** |Σ ρ_a|² / N. */
  readonly total: StructureCurve;
  /** ρ_a ρ_b* / √(N_a N_b) of each pair of types (Ashcroft and Langreth 1967). */
  readonly pairs: readonly (StructureCurve & { readonly types: readonly [string, string] })[];
}

/** What a checkpoint holds of a structure factor. */
export type SavedStructure = {
  readonly frames: number;
  readonly n: Float64Array | null;
  readonly bin: Uint32Array | null;
  readonly means: SavedBlocks | null;
};

/**
 * The structure factor from the positions of the particles, on wave vectors that fit into the box: S(q) = ⟨|Σ exp(i q · r)|²⟩ / N. They are
 * chosen in the first frame, and change with the box from then on. Sums are made where the context computes; on a GPU positions
 * are fetched for each frame, to be sorted by type.
 *
 * @throws CorpuscleError INVALID_VALUE for numbers that make no sense, or a box that is open along an axis.
 * @example
 * const s = new StructureFactor(ctx, { types: ['A'], qMax: 20 });
 * await s.add(grid);
 * s.result().total.s;
 */
export class StructureFactor {
  readonly #options: Required<Omit<StructureFactorOptions, 'rows'>>;
  readonly #rows: NonNullable<StructureFactorOptions['rows']>;
  readonly #ctx: ExecutionContext;
  readonly #waves: DensityWaves;
  readonly #pairs: readonly (readonly [number, number])[];
  #vectors: WaveVectors | null = null;
  /** |q| of all bins, the total of all bins, each pair of all bins. */
  #means: BlockMeans | null = null;
  #frames = 0;

  constructor(ctx: ExecutionContext, options: StructureFactorOptions) {
    const { types, qMax, bins = 100, vectors = 100 } = options;
    if (!(qMax > 0 && Number.isFinite(qMax)))
      throw new CorpuscleError('INVALID_VALUE', `q_max is ${qMax}: give a positive number`);
    for (const [name, value] of Object.entries({ bins, vectors }))
      if (!(Number.isInteger(value) && value > 0))
        throw new CorpuscleError(
          'INVALID_VALUE',
          `${name} is ${value}: give a whole number from 1`,
        );
    this.#options = { types, qMax, bins, vectors };
    this.#rows = options.rows ?? allRows;
    this.#ctx = ctx;
    this.#waves = new DensityWaves(ctx, types.length);
    this.#pairs = types.flatMap((_, a) => types.slice(a).map((__, k) => [a, a + k] as const));
  }

  /** Adds a frame, and leaves the grid as it is. @throws CorpuscleError INVALID_VALUE for a box that is open along an axis. */
  async add(grid: Grid): Promise<void> {
    const { domain } = grid;
    checkPeriodic(domain);
    const { qMax, bins, vectors: most } = this.#options;
    this.#vectors ??= chooseWaveVectors(domain, { qMax, bins, most });
    if (this.#vectors.bin.length === 0)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `q_max is ${qMax}, less than the shortest wave vector of the box: raise it`,
      );
    await newestOnHost(grid, this.#ctx, ['rx', 'type']);
    const rows = await this.#rows(grid);
    const waves = await this.#waves.of(grid, this.#vectors.n, rows);
    this.#means ??= new BlockMeans(bins * (2 + this.#pairs.length));
    this.#means.add(this.#frameOf(grid, waves));
    this.#frames++;
  }

  #frameOf(
    { domain }: Grid,
    { re, im, numbers }: Awaited<ReturnType<DensityWaves['of']>>,
  ): Float64Array {
    const { bins, types } = this.#options;
    const { n, bin } = this.#vectors!;
    const frame = new Float64Array(bins * (2 + this.#pairs.length));
    const inBin = this.#inBin();
    const count = numbers.reduce((sum, number) => sum + number, 0);
    for (let v = 0; v < bin.length; v++) {
      const k = bin[v]!;
      const share = 1 / inBin[k]!;
      frame[k]! += share * lengthOf(domain, n[3 * v]!, n[3 * v + 1]!, n[3 * v + 2]!);
      const wave = types.map((_, t) => [re[v * types.length + t]!, im[v * types.length + t]!]);
      const [c, s] = [0, 1].map((part) => wave.reduce((sum, one) => sum + one[part]!, 0));
      frame[bins + k]! += quotient(share * (c! * c! + s! * s!), count);
      this.#pairs.forEach(([a, b], pair) => {
        const product = wave[a]![0]! * wave[b]![0]! + wave[a]![1]! * wave[b]![1]!;
        const norm = Math.sqrt(numbers[a]! * numbers[b]!);
        if (norm > 0) frame[bins * (2 + pair) + k]! += (share * product) / norm;
      });
    }
    return frame;
  }

  #inBin(): number[] {
    const counts = new Array<number>(this.#options.bins).fill(0);
    for (const k of this.#vectors?.bin ?? []) counts[k]!++;
    return counts;
  }

  /** Of all frames so far. */
  result(): StructureFactorResult {
    const { bins, types } = this.#options;
    const counts = this.#inBin();
    const filled = counts.flatMap((count, k) => (count > 0 ? [k] : []));
    const means = this.#means;
    const curve = (from: number): StructureCurve => ({
      s: filled.map((k) => means!.mean(from * bins + k)),
      error: filled.map((k) => means!.error(from * bins + k)),
    });
    return {
      frames: this.#frames,
      q: filled.map((k) => means!.mean(k)),
      vectors: filled.map((k) => counts[k]!),
      total: curve(1),
      pairs: this.#pairs.map(([a, b], pair) => ({
        types: [types[a]!, types[b]!],
        ...curve(2 + pair),
      })),
    };
  }

  /** What a restart needs to go on with the same numbers. */
  save(): SavedStructure {
    return {
      frames: this.#frames,
      n: this.#vectors?.n ?? null,
      bin: this.#vectors?.bin ?? null,
      means: this.#means?.save() ?? null,
    };
  }

  /** Goes on with what `save` gave. */
  restore({ frames, n, bin, means }: SavedStructure): void {
    this.#frames = frames;
    if (!n || !bin || !means) return;
    this.#vectors = { n: Float64Array.from(n), bin: Uint32Array.from(bin) };
    this.#means = new BlockMeans(this.#options.bins * (2 + this.#pairs.length));
    this.#means.restore(means);
  }

  /** Gives the memory of the sums back. */
  close(): void {
    this.#waves.close();
  }
}
