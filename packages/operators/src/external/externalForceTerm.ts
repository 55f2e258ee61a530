import type { Grid } from '@corpuscle/core';
import {
  type CellFunctor,
  type ExecutionContext,
  type FieldOptions,
  type ParamSchema,
  type ParamValues,
  type ParticleAdaptations,
  type PreparedCall,
  prepareCellParticles,
  prepareReduction,
} from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm } from '../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../forces/PreparedForce.js';
import { energySum, withWrites } from './variants.js';

/** What an external force adds to: the fields of functors of such forces. */
export const externalOutputs = { fx: 'real', fy: 'real', fz: 'real', ep: 'real' } as const;

/** How an external force is made from a functor. */
export interface ExternalForceOptions<P extends ParamSchema>
  extends ParticleAdaptations,
    FieldOptions {
  /** Parameters in the present box. */
  readonly params: (grid: Grid) => ParamValues<P>;
  /** Whether parameters change from step to step, as those of a wall that moves: calls are then made one by one. */
  readonly changes?: boolean;
}

/**
 * The force term of a functor that adds force and energy of every particle on its own. It counts in the energy, not in the virial:
 * what holds a particle from outside is no pressure of the system.
 *
 * @param functor adds to fx, fy, fz and ep, and reads none of them
 * @example
 * externalForceTerm(constantForce, { params: () => ({ … }) })
 */
export function externalForceTerm<P extends ParamSchema>(
  functor: CellFunctor<typeof externalOutputs, P>,
  { params, changes = false, ...options }: ExternalForceOptions<P>,
): ForceTerm {
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    const { domain } = grid;
    const now = { ...options, params: params(grid) };
    const calls: PreparedCall<object, unknown>[] = [];
    const written = writtenFor(request);
    if (written.length > 0)
      calls.push(
        prepareCellParticles(grid, withWrites(functor, written), ctx, now) as PreparedCall,
      );
    const total = request.totals ? ctx.value({ energy: 0 }) : null;
    if (total)
      calls.push(
        prepareReduction(grid, energySum(functor), {}, ctx, {
          ...now,
          into: total,
        }) as PreparedCall<object, unknown>,
      );
    return {
      calls,
      totals: total ? [total] : [],
      isCurrent: () => grid.domain === domain,
      close() {
        for (const call of calls) call.close();
        total?.close();
      },
    };
  };
  return {
    name: functor.name,
    rcut: 0,
    sharesVirial: true, // which are none
    ...(changes ? {} : { prepare }),
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    totals: ({ energy }) => ({ energy: energy!, virial: [0, 0, 0, 0, 0, 0] }),
  };
}

function writtenFor({ forces, energies }: ForceRequest): string[] {
  return [...(forces ? ['fx', 'fy', 'fz'] : []), ...(energies ? ['ep'] : [])];
}
