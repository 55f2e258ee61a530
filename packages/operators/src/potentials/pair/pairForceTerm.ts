import type { Grid } from '@corpuscle/core';
import {
  type ExecutionContext,
  type NeighborhoodFunctor,
  type OutputTarget,
  type PairFunctor,
  type PairWeights,
  type ParamSchema,
  type ParamValues,
  prepareCellParticlePairs,
} from '@corpuscle/patterns';
import { weightsOf } from '../../bonds/bondParticles.js';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import type { PreparedForce } from '../../forces/PreparedForce.js';
import type { pairOutputs } from './pairOutputs.js';

export interface PairTermOptions {
  /** Weights of pairs; default for pairs: those of the particles’ bonds (`bondParticles`), for neighborhoods none. */
  readonly weights?: (grid: Grid) => PairWeights | undefined;
}

const forces: readonly string[] = ['fx', 'fy', 'fz'];

/**
 * The force term of a functor of pairs or neighborhoods with the outputs of `pairOutputs`, and perhaps more that are summed with energy and virial:
 * each evaluation computes what was asked for.
 *
 * @param rcut the largest cutoff, a length
 * @example
 * pairForceTerm(lennardJones, 2.5, lennardJonesParameters(tables, 'none'))
 */
export function pairForceTerm<C extends typeof pairOutputs, P extends ParamSchema>(
  functor: PairFunctor<C, P> | NeighborhoodFunctor<C, P>,
  rcut: number,
  params: ParamValues<P>,
  options: PairTermOptions = {},
): ForceTerm {
  const { weights = functor.kind === 'pair' ? weightsOf : () => undefined } = options;
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    const weighted = weights(grid);
    const outputs = outputsFor(functor.outputs, request);
    const call = prepareCellParticlePairs(grid, functor, ctx, {
      rcut,
      params,
      outputs,
      weights: weighted,
    });
    return { calls: [call], run: () => call.run(), isCurrent: () => weights(grid) === weighted };
  };
  return {
    name: functor.name,
    rcut,
    prepare,
    compute: (grid, ctx, request) => prepare(grid, ctx, request).run(),
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
  return outputs;
}
