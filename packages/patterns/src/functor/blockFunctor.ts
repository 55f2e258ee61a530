import { defineFunctor } from './defineFunctor.js';
import type { BlockFunctor } from './Functor.js';
import type {
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
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a block functor. */
export interface BlockSpec<A, R, P, H, K> {
  readonly name: string;
  /** Arrays read and written. */
  readonly arrays: A;
  /** Arrays only read. */
  readonly read?: R;
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  readonly traits?: Traits;
  readonly wgsl?: string;
}

/**
 * Declares and compiles a functor that a whole block of lanes runs for every index; lanes share the second-level loop
 * (on the CPU a block is lane 0 of 1).
 *
 * @param fn `(b, a, p, h, c)`: block, arrays, parameters, helpers, constants
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
>(
  spec: BlockSpec<A, R, P, H, K>,
  fn: (b: BlockView, a: ArrayView<A, R>, p: ParamView<P>, h: HelperView<H>, c: Reading<K>) => void,
): BlockFunctor<A, P, R> {
  const { arrays, params } = spec;
  const read = spec.read ?? ({} as R);
  const erased = { ...spec, kind: 'block' as const, read };
  return {
    ...defineFunctor('block', erased, fn, blockFunctor),
    outputs: arrays,
    inputs: read,
    params: params ?? ({} as P),
  };
}
