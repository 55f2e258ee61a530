import {
  computeCellParticlePairs,
  type NeighbourhoodFunctor,
  type OutputTarget,
  type PairFunctor,
  type ParamSchema,
  type ParamValues,
  type PatternHandle,
} from '@corpuscle/patterns';
import type { ForceTerm } from '../forces/ForceTerm.js';
import type { pairOutputs } from './pairOutputs.js';

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
): ForceTerm {
  return {
    name: functor.name,
    rcut,
    compute(grid, ctx, request): PatternHandle<Readonly<Record<string, number>>> {
      const force = request.forces ? 'particles' : 'none';
      const total = request.totals ? 'total' : 'none';
      const ep = request.energies ? (request.totals ? 'both' : 'particles') : total;
      const outputs: Record<string, OutputTarget> = {};
      for (const name in functor.outputs)
        outputs[name] = forces.includes(name) ? force : name === 'ep' ? ep : total;
      return computeCellParticlePairs(grid, functor, ctx, { rcut, params, outputs });
    },
    totals: (values) => ({
      energy: values.ep!,
      virial: [values.vxx!, values.vyy!, values.vzz!, values.vxy!, values.vxz!, values.vyz!],
    }),
  };
}
