/**
 * The vocabulary in which a functor declares what it reads and writes, and the TypeScript types its function sees.
 * `real` has no width: f64, f32 or double-single is chosen when the functor is lowered.
 */

/** Type of a particle field. */
export type FieldType = 'real' | 'i32' | 'u32';

/** Type of a parameter: a scalar, or a table indexed by an integer. */
export type ParamType = FieldType | `${FieldType}[]`;

/** How the contributions of particles to one result of a reduction are combined. */
export type ReduceOp = 'sum' | 'max' | 'min';

/**
 * A result of a reduction.
 * - `sum`, `max`, `min`: a number
 * - `argmax`, `argmin`: an extreme and the id of the particle that has it, `{ value, id }`
 * - `sum[32]`: a histogram of 32 sums, reached as `acc.name[k]`
 * - `real`, `real[8]`: numbers that the functor updates as it likes and `combine` joins
 */
export type ResultOp =
  | ReduceOp
  | 'argmax'
  | 'argmin'
  | 'real'
  | `sum[${number}]`
  | `real[${number}]`;

/** Fields by name, with their types. */
export type FieldSchema = Readonly<Record<string, FieldType>>;
/** Parameters by name: numbers, or tables of numbers. */
export type ParamSchema = Readonly<Record<string, ParamType>>;
/** Results of a reduction by name, and how each is combined. */
export type ResultSchema = Readonly<Record<string, ResultOp>>;
/** Results that combine by themselves. */
export type PlainResults = Readonly<Record<string, ReduceOp>>;
export type ConstantSchema = Readonly<Record<string, number>>;

/**
 * An output of a pair functor that follows from another one: for each `term` that is added to the output `of`, it receives
 * `factor` · d[along] · term. A share of the virial follows so from a force.
 */
export interface DerivedOutput<Of extends PropertyKey = string> {
  readonly of: Of;
  readonly along: 'x' | 'y' | 'z';
  readonly factor: number;
}
/** Derived outputs by name. */
export type DerivedSchema<Of extends PropertyKey = string> = Readonly<
  Record<string, DerivedOutput<Of>>
>;
/**
 * Outputs that follow from an energy. Of a functor of whole neighborhoods, with d = r_i − r_k and g = ∂E/∂d, where E is all that
 * is added to `of`, of the particle and of its neighbors: neighbor k receives g, the particle −g, and its virials −d g. Of a functor
 * of pairs see `PairSpec.gradient`.
 */
export interface GradientSchema<Of extends PropertyKey = string> {
  readonly of: Of;
  /** Forces along x, y and z. */
  readonly into: readonly [x: Of, y: Of, z: Of];
  readonly virial?: readonly [xx: Of, yy: Of, zz: Of, xy: Of, xz: Of, yz: Of];
}
/** All outputs: those in `central`, and the derived ones. */
export type WithDerived<C, D> = {
  readonly [K in keyof C | keyof D]: K extends keyof C ? C[K] : 'real';
};

/** A schema with nothing in it. */
export type Empty = Readonly<Record<never, never>>;

/** A table parameter as a functor sees it. Indices must be integers within the table. */
export interface Table {
  readonly [index: number]: number;
}

/** An array argument of a block functor that may be written. */
export interface WritableTable {
  [index: number]: number;
}

/** An extreme and the particle that has it; the smallest id where several have it, −1 where there is none. */
export interface Extreme {
  readonly value: number;
  readonly id: number;
}

/** A result as the functor sees it. */
export type Accumulators<R> = {
  -readonly [K in keyof R]: R[K] extends `${string}[${number}]` ? WritableTable : number;
};
/** Results as a reduction returns them. */
export type ResultValues<R> = {
  [K in keyof R]: R[K] extends `${string}[${number}]`
    ? Float64Array
    : R[K] extends `arg${string}`
      ? Extreme
      : number;
};
/** Initial values as a caller gives them. */
export type InitialValues<R> = {
  readonly [K in keyof R]?: R[K] extends `${string}[${number}]`
    ? ArrayLike<number>
    : R[K] extends `arg${string}`
      ? Extreme
      : number;
};

/** Fields that can be read. */
export type Reading<S> = { readonly [K in keyof S]: number };
/** Fields that can be read and written. */
export type Writing<S> = { -readonly [K in keyof S]: number };
/** Parameters inside a functor. */
export type ParamView<P> = { readonly [K in keyof P]: P[K] extends `${string}[]` ? Table : number };
/** Parameters as a caller of a pattern supplies them. */
export type ParamValues<P> = {
  readonly [K in keyof P]: P[K] extends `${string}[]` ? ArrayLike<number> : number;
};
/** Arrays of a block functor inside the functor. */
export type ArrayView<A, R> = { readonly [K in keyof A]: WritableTable } & {
  readonly [K in keyof R]: Table;
};

/** Central minus neighbor: d.x = x_i − x_j (nearest image), r2 = x² + y² + z². */
export interface Displacement {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly r2: number;
  /** With the trait `needsPairWeights`: what the pair counts, 1 unless the call says otherwise. */
  readonly weight: number;
}

/** The neighbors of one particle within the cutoff, element k for neighbor k: central minus neighbor, fields, outputs. */
export type NeighborBuffer<N, S, W = Empty> = {
  readonly count: number;
  /** With the trait `blockShared`: this lane of `lanes` that share the buffer; on the CPU 0 of 1. */
  readonly lane: number;
  readonly lanes: number;
  /** Lets all lanes come this far: what one wrote to `work` before, others can read after it. */
  barrier(): void;
  readonly dx: Table;
  readonly dy: Table;
  readonly dz: Table;
  readonly r2: Table;
  /** With the trait `needsPairWeights`: what each pair counts, 1 unless the call says otherwise. */
  readonly weight: Table;
} & { readonly [K in keyof N]: Table } & { readonly [K in keyof S | keyof W]: WritableTable };

/** Memory of a block: an array of known size. */
export type SharedType = `${FieldType}[${number}]`;
/** Arrays of a block by name. */
export type SharedSchema = Readonly<Record<string, SharedType>>;

/** Where a block functor stands: block `index` (= x + nx·(y + ny·z)), lane 0 … size − 1 of `size` in the block. */
export interface BlockView {
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly lane: number;
  readonly size: number;
  /** All lanes wait here for each other, and see what the others have written. In a direct call it does nothing. */
  barrier(): void;
}

/** The memory that the lanes of a block share; zero when the block begins an index. */
export type SharedView<S> = { readonly [K in keyof S]: WritableTable };

/** A pure function of numbers, truth values and (to call further helpers) the helper namespace. */
export type Helper = (...args: never[]) => unknown;
export type HelperSchema = Readonly<Record<string, Helper>>;

/** The conversions every functor finds on its helper argument. */
export interface Conversions {
  /** To a signed 32-bit integer: truncates toward zero, saturates, NaN gives 0, true gives 1. */
  i32(x: number | boolean): number;
  /** To an unsigned 32-bit integer: truncates toward zero, saturates (negatives give 0), NaN gives 0. */
  u32(x: number | boolean): number;
  /** To a real number; true gives 1, false 0. */
  real(x: number | boolean): number;
}

/** Four numbers at once: `const [a, b, c] = h.normal(…)`. */
export type Four = readonly [number, number, number, number];

/** Functions every functor finds on its helper argument, unless it declares helpers of the same names. */
export interface Intrinsics {
  /** The error function. */
  erf(x: number): number;
  /** 1 − erf(x), with all its digits where erf(x) is nearly 1. */
  erfc(x: number): number;
  /** The upper 32 bits of a product of two unsigned integers (`Math.imul` gives the lower ones). */
  mulHigh(a: number, b: number): number;
  /**
   * Four words of 32 random bits (Philox4x32-10), the same for the same integers wherever they are drawn. Draws that differ in
   * any of them are independent.
   * @param id,step,stream the counter: a particle's id, the step, and a number for what is drawn
   * @param seed,seedHigh the key (default 0)
   * @param draw the fourth word of the counter (default 0), for those who need more than four numbers
   */
  random: Draws;
  /** Four uniform numbers, 0 < u < 1, made of the words of `random`. */
  uniform: Draws;
  /** Four numbers of the standard normal distribution, made of the words of `random`. */
  normal: Draws;
}

/** See {@link Intrinsics.random}. */
export type Draws = (
  id: number,
  step: number,
  stream: number,
  seed?: number,
  seedHigh?: number,
  draw?: number,
) => Four;

/** The helper argument: the declared helpers, the conversions and what else every functor has. */
export type HelperView<H> = { readonly [K in keyof H]: H[K] } & Conversions &
  Omit<Intrinsics, keyof H>;
