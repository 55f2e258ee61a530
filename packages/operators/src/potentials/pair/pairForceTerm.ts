import type { Grid } from '@corpuscle/core';
import {
  computeCellParticlePairs,
  type NeighbourhoodFunctor,
  type OutputTarget,
  type PairFunctor,
  type PairWeights,
  type ParamSchema,
  type ParamValues,
  type PatternHandle,
} from '@corpuscle/patterns';
import { weightsOf } from '../../bonds/bondParticles.js';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import type { pairOutputs } from './pairOutputs.js';

export interface PairTermOptions {
  /** Weights of pairs; default for pairs: those of the particles’ bonds (`bondParticles`), for neighbourhoods none. */
  readonly weights?: (grid: Grid) => PairWeights | undefined;
}

interface Call<P> {
  readonly rcut: number;
  readonly params: ParamValues<P>;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly weights: PairWeights | undefined;
}

const forces: readonly string[] = ['fx', 'fy', 'fz'];

/**
 * The force term of a functor of pairs or neighbourhoods with the outputs of `pairOutputs`, and perhaps more that are summed with energy and virial:
 * each evaluation computes what was asked for.
 *
 * @param rcut the largest cutoff, a length
 * @example
 * pairForceTerm(lennardJones, 2.5, lennardJonesParameters(tables, 'none'))
 */
export function pairForceTerm<C extends typeof pairOutputs, P extends ParamSchema>(
  functor: PairFunctor<C, P> | NeighbourhoodFunctor<C, P>,
  rcut: number,
  params: ParamValues<P>,
  options: PairTermOptions = {},
): ForceTerm {
  const { weights = functor.kind === 'pair' ? weightsOf : () => undefined } = options;
  /** What earlier evaluations said, by what was asked for; frozen, so that pattern calls know by the object that it says the same. */
  const calls: Call<P>[] = [];
  return {
    name: functor.name,
    rcut,
    compute(grid, ctx, request): PatternHandle<Readonly<Record<string, number>>> {
      const key = (request.forces ? 1 : 0) + (request.totals ? 2 : 0) + (request.energies ? 4 : 0);
      const weighted = weights(grid);
      let call = calls[key];
      if (!call || call.weights !== weighted) {
        const outputs = call?.outputs ?? outputsFor(functor.outputs, request);
        call = calls[key] = Object.freeze({ rcut, params, outputs, weights: weighted });
      }
      return computeCellParticlePairs(grid, functor, ctx, call);
    },
    totals: (values) => ({
      energy: values.ep!,
      virial: [values.vxx!, values.vyy!, values.vzz!, values.vxy!, values.vxz!, values.vyz!],
    }),
  };
}

function outputsFor(names: object, request: ForceRequest): Readonly<Record<string, OutputTarget>> {
  const force = request.forces ? 'particles' : 'none';
  const total = request.totals ? 'total' : 'none';
  const ep = request.energies ? (request.totals ? 'both' : 'particles') : total;
  const outputs: Record<string, OutputTarget> = {};
  for (const name in names)
    outputs[name] = forces.includes(name) ? force : name === 'ep' ? ep : total;
  return Object.freeze(outputs);
}
