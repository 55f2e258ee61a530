/** What a functor can do. Patterns choose a backend and a form from traits, options and the machine. */
export interface Traits {
  /** May run on a GPU (default true). `false` keeps it on the CPU; its function may then be any JavaScript. */
  readonly gpu?: boolean;
  /** Pair functors: may take its neighbors from a buffered list (default true). */
  readonly buffered?: boolean;
  /** Pair functors: may be called neighbor by neighbor without a list (default true). */
  readonly bufferless?: boolean;
  /** Pair functors: each pair is visited once and the neighbor receives the opposite of odd outputs, the same of even ones. */
  readonly newton3?: boolean;
  /** Pair functors: reads the weight of the pair itself, as `d.weight` (default false: weights multiply its outputs). */
  readonly needsPairWeights?: boolean;
  /**
   * Functors of neighborhoods: on a GPU a block of lanes works on each particle, with its buffer in shared memory
   * (default false). Loops over neighbors then go `for (let k = b.lane; k < b.count; k += b.lanes)`.
   */
  readonly blockShared?: boolean;
  /**
   * Cell and reduce functors: `cell`, `slot`, `index`, `cellX`, `cellY` and `cellZ` in `read` are the number of the
   * particle's cell in the last sort, its place there, its row, and the coordinates of the cell (default false).
   */
  readonly needsCellParticleIndex?: boolean;
}

/** Traits with every default filled in. */
export type ResolvedTraits = Required<Traits>;

/** Fills in the defaults. */
export function resolveTraits(traits: Traits = {}): ResolvedTraits {
  return {
    gpu: true,
    buffered: true,
    bufferless: true,
    newton3: false,
    needsPairWeights: false,
    blockShared: false,
    needsCellParticleIndex: false,
    ...traits,
  };
}
