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
import { weightsOf } from '../bonds/bondParticles.js';
import type { ForceTerm } from '../forces/ForceTerm.js';
import type { pairOutputs } from './pairOutputs.js';

export interface PairTermOptions {
  /** Weights of pairs; default for pairs: those of the particles’ bonds (`bondParticles`), for neighbourhoods none. */
  readonly weights?: (grid: Grid) => PairWeights | undefined;
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
  /** Outputs of earlier evaluations: engines recognise the same object. */
  const asked = new Map<string, Record<string, OutputTarget>>();
  return {
    name: functor.name,
    rcut,
    compute(grid, ctx, request): PatternHandle<Readonly<Record<string, number>>> {
      const force = request.forces ? 'particles' : 'none';
      const total = request.totals ? 'total' : 'none';
      const ep = request.energies ? (request.totals ? 'both' : 'particles') : total;
      const key = `${force} ${ep} ${total}`;
      let outputs = asked.get(key);
      if (!outputs) {
        outputs = {};
        for (const name in functor.outputs)
          outputs[name] = forces.includes(name) ? force : name === 'ep' ? ep : total;
        asked.set(key, outputs);
      }
      const own = weights(grid);
      const call = { rcut, params, outputs, ...(own ? { weights: own } : {}) };
      return computeCellParticlePairs(grid, functor, ctx, call);
    },
    totals: (values) => ({
      energy: values.ep!,
      virial: [values.vxx!, values.vyy!, values.vzz!, values.vxy!, values.vxz!, values.vyz!],
    }),
  };
}
