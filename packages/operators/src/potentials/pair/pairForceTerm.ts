import type { Grid } from '@corpuscle/core';
import {
  type CallParams,
  type ExecutionContext,
  type NeighborhoodFunctor,
  type OutputTarget,
  type PairFunctor,
  type PairWeights,
  type ParamSchema,
  prepareCellParticlePairs,
} from '@corpuscle/patterns';
import { weightsOf } from '../../bonds/bondParticles.js';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../../forces/PreparedForce.js';
import { type pairOutputs, type virialOutputs, virials } from './pairOutputs.js';

export interface PairTermOptions {
  /** Weights of pairs; default for pairs: those of the particles’ bonds (`bondParticles`), for neighborhoods none. */
  readonly weights?: (grid: Grid) => PairWeights | undefined;
  /** What gives particles their shares of the virial where these are not those of the functor; the same parameters. */
  readonly shares?: NeighborhoodFunctor<typeof virialOutputs, ParamSchema>;
}

const forces: readonly string[] = ['fx', 'fy', 'fz'];
const virialNames: readonly string[] = Object.keys(virials);
const shears: readonly string[] = ['vxy', 'vxz', 'vyz'];

/**
 * The force term of a functor of pairs or neighborhoods with the outputs of `pairOutputs`, and perhaps more that are summed with energy and virial:
 * each evaluation computes what was asked for.
 *
 * @param rcut the largest cutoff, a length
 * @param params numbers and tables, or numbers of values, which belong to a context
 * @example
 * pairForceTerm(lennardJones, 2.5, lennardJonesParameters(tables, 'none'))
 */
export function pairForceTerm<C extends typeof pairOutputs, P extends ParamSchema>(
  functor: PairFunctor<C, P> | NeighborhoodFunctor<C, P>,
  rcut: number,
  params: CallParams<P> | ((ctx: ExecutionContext) => CallParams<P>),
  options: PairTermOptions = {},
): ForceTerm {
  const { weights = functor.kind === 'pair' ? weightsOf : () => undefined, shares } = options;
  const prepare = (
    grid: Grid,
    ctx: ExecutionContext,
    request: ForceRequest,
    complete?: PreparedForce,
  ): PreparedForce => {
    const weighted = weights(grid);
    const used = request.virials && shares ? (shares as unknown as typeof functor) : functor;
    // Results go into places in a row, which the energy must not divide.
    const outputs = outputsFor(used.outputs, request, complete?.totals[0]?.names[0] === 'ep');
    const own = request.totals && !complete ? ctx.value(sumsOf(outputs)) : null;
    const totals = own ?? complete?.totals[0];
    const call = prepareCellParticlePairs(grid, used, ctx, {
      rcut,
      params: typeof params === 'function' ? params(ctx) : params,
      outputs,
      weights: weighted,
      ...(totals ? { into: totals } : {}),
    });
    return {
      calls: [call],
      totals: totals ? [totals] : [],
      isCurrent: () => weights(grid) === weighted,
      close() {
        call.close();
        own?.close();
      },
    };
  };
  return {
    name: functor.name,
    rcut,
    sharesVirial: true,
    prepare: (grid, ctx, request) => prepare(grid, ctx, request),
    prepareWithoutEnergy: prepare,
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    totals: (values) => ({
      energy: values.ep!,
      virial: [values.vxx!, values.vyy!, values.vzz!, values.vxy!, values.vxz!, values.vyz!],
    }),
  };
}

function outputsFor(
  names: object,
  request: ForceRequest,
  withoutEnergy: boolean,
): Readonly<Record<string, OutputTarget>> {
  const force = request.forces ? 'particles' : 'none';
  const total = request.totals ? 'total' : 'none';
  const summed = withoutEnergy ? 'none' : total;
  const isDiagonal = withoutEnergy && request.isDiagonal;
  const ep = request.energies ? (summed === 'total' ? 'both' : 'particles') : summed;
  const virial = request.virials ? (request.totals ? 'both' : 'particles') : total;
  const outputs: Record<string, OutputTarget> = {};
  for (const name in names) {
    if (forces.includes(name)) outputs[name] = force;
    else if (isDiagonal && shears.includes(name)) outputs[name] = 'none';
    else if (virialNames.includes(name)) outputs[name] = virial;
    else outputs[name] = name === 'ep' ? ep : total;
  }
  return outputs;
}

/** A zero for each output that is summed over all particles, in their order. */
function sumsOf(outputs: Readonly<Record<string, OutputTarget>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const name in outputs)
    if (outputs[name] === 'total' || outputs[name] === 'both') sums[name] = 0;
  return sums;
}
