import { defineFunctor } from './defineFunctor.js';
import type { BlockFunctor, Functor, FunctorFunction } from './Functor.js';
import type { FunctorSpec } from './FunctorSpec.js';
import type {
  Accumulators,
  ArrayView,
  BlockView,
  ConstantSchema,
  Empty,
  FieldSchema,
  HelperSchema,
  HelperView,
  ParamSchema,
  ParamView,
  Reading,
  ResultSchema,
  SharedSchema,
  SharedView,
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a block functor. */
export interface BlockSpec<A, R, P, H, K, S = Empty, Q = Empty> {
  readonly name: string;
  /** Arrays read and written. */
  readonly arrays: A;
  /** Arrays only read. */
  readonly read?: R;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  /**
   * Memory that the lanes of a block share, `{ tile: 'real[128]' }`, reached as `b.tile[k]`; zero when the block begins an
   * index. `b.barrier()` separates what one lane writes from what another reads.
   */
  readonly blockShared?: S;
  /** What the call returns: `sum`, `max`, `min` or `sum[n]`, over all lanes of all blocks. */
  readonly result?: Q;
  /** Runs once, as one block, before all others; for instance to clear what they add to. */
  readonly prolog?: BlockBody<A, R, P, H, K, S>;
  /** Runs once, as one block, after all others. */
  readonly epilog?: BlockBody<A, R, P, H, K, S>;
  readonly traits?: Traits;
  readonly wgsl?: string;
}

type BlockBody<A, R, P, H, K, S> = (
  b: BlockView & SharedView<S>,
  a: ArrayView<A, R>,
  p: ParamView<P>,
  h: HelperView<H>,
  c: Reading<K>,
) => void;

/**
 * Declares and compiles a functor that a whole block of lanes runs for every index; lanes share the second-level loop
 * (on the CPU a block is lane 0 of 1). What lanes do between two barriers must not depend on their order.
 *
 * @param fn `(b, a, p, h, c, acc)`: block, arrays, parameters, helpers, constants, results
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const addValue = blockFunctor(
 *   { name: 'add_value', arrays: { values: 'real' }, params: { columns: 'u32', value: 'real' } },
 *   (b, a, p) => {
 *     for (let k = b.lane; k < p.columns; k += b.size) a.values[b.index * p.columns + k] += p.value;
 *   },
 * );
 */
export function blockFunctor<
  const A extends FieldSchema,
  const R extends FieldSchema = Empty,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
  const S extends SharedSchema = Empty,
  const Q extends ResultSchema = Empty,
>(
  spec: BlockSpec<A, R, P, H, K, S, Q>,
  fn: (
    b: BlockView & SharedView<S>,
    a: ArrayView<A, R>,
    p: ParamView<P>,
    h: HelperView<H>,
    c: Reading<K>,
    acc: Accumulators<Q>,
  ) => void,
): BlockFunctor<A, P, R, Q> {
  const { arrays, params, prolog, epilog } = spec;
  const read = spec.read ?? ({} as R);
  const erased = { ...spec, kind: 'block' as const, read } as FunctorSpec;
  const hook = (body: unknown, name: string): Functor<'block'> | null => {
    if (!body) return null;
    const { result, prolog, epilog, ...rest } = erased as Extract<FunctorSpec, { kind: 'block' }>;
    const own = { ...rest, name: `${spec.name}_${name}` };
    return defineFunctor('block', own, body as FunctorFunction, blockFunctor);
  };
  return defineFunctor('block', erased, fn, blockFunctor, () => ({
    outputs: arrays,
    inputs: read,
    params: params ?? ({} as P),
    results: spec.result ?? ({} as Q),
    prolog: hook(prolog, 'prolog'),
    epilog: hook(epilog, 'epilog'),
  }));
}
