import type { Grid } from '@corpuscle/core';
import {
  type CallParams,
  type CellFunctor,
  type ExecutionContext,
  type FieldOptions,
  type ParamSchema,
  type ParticleAdaptations,
  type PreparedCall,
  prepareCellParticles,
  prepareReduction,
} from '@corpuscle/patterns';
import { type BoxParam, presentBox } from '../box/presentBox.js';
import type { ForceRequest, ForceTerm } from '../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../forces/PreparedForce.js';
import { energySum, withWrites } from './variants.js';

/** What an external force adds to: the fields of functors of such forces. */
export const externalOutputs = { fx: 'real', fy: 'real', fz: 'real', ep: 'real' } as const;

/** How an external force is made from a functor. */
export interface ExternalForceOptions<P extends ParamSchema>
  extends ParticleAdaptations,
    FieldOptions {
  /** Parameters; those of the box may be left to `inBox`. */
  readonly params: (grid: Grid) => Partial<CallParams<P>>;
  /** Parameters that are numbers of the present box. */
  readonly inBox?: readonly BoxParam[];
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
  { params, inBox, ...options }: ExternalForceOptions<P>,
): ForceTerm {
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    const given = params(grid);
    const box = inBox ? presentBox(grid, inBox) : null;
    const now = { ...options, params: { ...given, ...box?.params } as CallParams<P> };
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
    let { domain } = grid;
    return {
      calls: [...(box?.calls ?? []), ...calls],
      totals: total ? [total] : [],
      isCurrent() {
        if (box && !box.isCurrent()) return false;
        if (grid.domain !== domain && !areSame(params(grid), given)) return false;
        domain = grid.domain;
        return true;
      },
      close() {
        for (const call of calls) call.close();
        total?.close();
      },
    };
  };
  return {
    name: functor.name,
    rcut: 0,
    sharesVirial: 'none',
    prepare,
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    totals: ({ energy }) => ({ energy: energy!, virial: [0, 0, 0, 0, 0, 0] }),
  };
}

const areSame = (a: Params, b: Params): boolean =>
  Object.keys(a).every((name) => a[name] === b[name]);

type Params = Readonly<Record<string, unknown>>;

function writtenFor({ forces, energies }: ForceRequest): string[] {
  return [...(forces ? ['fx', 'fy', 'fz'] : []), ...(energies ? ['ep'] : [])];
}
