import type { PairFunctor, ParamType } from '@corpuscle/patterns';
import type { CutoffSwitch } from './cutoffSwitch.js';
import type { pairOutputs } from './pairOutputs.js';

/** A function of the distance and of coefficients, in their order. */
export type RadialFunction = (r: number, ...coefficients: number[]) => number;

/** A potential that is given by u(r) and −u′(r), as kernels see it. */
export interface RadialForm {
  readonly energy: RadialFunction;
  readonly force: RadialFunction;
  /** How many numbers it has for each pair of types. */
  readonly count: number;
  /** Both functions are multiplied by the charges of the two particles. */
  readonly charges?: boolean;
  /** The number α of those: erfc(α r) is given after the numbers. */
  readonly damping?: number;
}

/** One of the potentials that act on pairs, and what is done to it before its cutoff. */
export interface RadialLayer {
  readonly form: RadialForm;
  readonly switching: CutoffSwitch;
}

/** Parameters of radial functors; tables have one number for each ordered pair of types, or one for all. */
export type RadialParams = { readonly types: 'u32'; readonly [table: string]: ParamType };
export type RadialFunctor = PairFunctor<typeof pairOutputs, RadialParams>;

/** Names of a layer's tables: a functor of several layers numbers them. */
export interface LayerNames {
  readonly rcut2: string;
  readonly offset: string;
  readonly numbers: readonly string[];
  /** Of layers without a window. */
  readonly slope: string;
  /** Of windows: where it begins, and w1, w2, w3. */
  readonly on: string;
  readonly weights: readonly string[];
  /** 1/(4πε₀ε), of charged layers. */
  readonly coulomb: string;
}

/** @param index the number of the layer; null where it is alone. */
export function layerNames({ form }: RadialLayer, index: number | null): LayerNames {
  const own = (name: string) => (index === null ? name : `${name}_${index}`);
  return {
    rcut2: own('rcut2'),
    offset: own('offset'),
    numbers: Array.from({ length: form.count }, (_, k) => own(`c${k}`)),
    slope: own('slope'),
    on: own('on'),
    weights: ['w1', 'w2', 'w3'].map(own),
    coulomb: own('coulomb'),
  };
}

/** The tables that a layer reads. */
export function tableNames(layer: RadialLayer, names: LayerNames): string[] {
  const { rcut2, offset, numbers, slope, on, weights, coulomb } = names;
  return [
    rcut2,
    offset,
    ...(layer.switching === 'none' ? [slope] : [on, ...weights]),
    ...(layer.form.charges ? [coulomb] : []),
    ...numbers,
  ];
}

/** The name of a layer's helper. */
export const helperName = (helper: string, index: number | null): string =>
  index === null ? helper : `${helper}_${index}`;
