import { defineFunctor } from './defineFunctor.js';
import type { CellFunctor } from './Functor.js';
import type { FunctorSpec } from './FunctorSpec.js';
import type {
  ConstantSchema,
  Empty,
  FieldSchema,
  HelperSchema,
  HelperView,
  ParamSchema,
  ParamView,
  Reading,
  Writing,
} from './schema.js';
import type { Traits } from './Traits.js';

/** The declaration of a cell functor. */
export interface CellSpec<F, R, P, H, K, C = Empty> {
  readonly name: string;
  /** Fields read and written. */
  readonly fields: F;
  /** Fields only read. */
  readonly read?: R;
  /** Values of fields in `read` that a grid may lack. */
  readonly defaults?: { readonly [N in keyof R]?: number };
  /** Fields computed from others wherever they are read: `{ speed: ({ vx, vy, vz }) => Math.hypot(vx, vy, vz) }`. */
  readonly computed?: { readonly [N in keyof C]: (i: Reading<F> & Reading<R>) => number };
  readonly params?: P;
  readonly helpers?: H;
  readonly constants?: K;
  readonly traits?: Traits;
  readonly wgsl?: string;
}

/**
 * Declares and compiles a functor that is called once for every particle of every cell, in any order.
 *
 * @param fn `(i, p, h, c)`: particle, parameters, helpers, constants
 * @throws CorpuscleError FUNCTOR_* with the source line when something cannot be compiled
 * @example
 * const drift = cellFunctor(
 *   { name: 'drift', fields: { rx: 'real' }, read: { vx: 'real' }, params: { dt: 'real' } },
 *   (i, p) => { i.rx += p.dt * i.vx; },
 * );
 */
export function cellFunctor<
  const F extends FieldSchema,
  const R extends FieldSchema = Empty,
  const P extends ParamSchema = Empty,
  H extends HelperSchema = Empty,
  const K extends ConstantSchema = Empty,
  const C extends Readonly<Record<string, unknown>> = Empty,
>(
  spec: CellSpec<F, R, P, H, K, C>,
  fn: (
    i: Writing<F> & Reading<R> & Reading<C>,
    p: ParamView<P>,
    h: HelperView<H>,
    c: Reading<K>,
  ) => void,
): CellFunctor<F, P> {
  const { fields, params } = spec;
  const erased = { ...spec, kind: 'cell' as const, read: spec.read ?? {} } as FunctorSpec;
  return defineFunctor('cell', erased, fn, cellFunctor, () => ({
    outputs: fields,
    params: params ?? ({} as P),
  }));
}
