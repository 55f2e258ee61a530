import type { Grid } from '@corpuscle/core';
import {
  type CellFunctor,
  type ExecutionContext,
  type PairFunctor,
  type ParamSchema,
  type ParamValues,
  prepareCellParticlePairs,
  prepareCellParticles,
  prepareReduction,
  type ReduceFunctor,
} from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../../forces/PreparedForce.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import type { pairOutputs } from '../pair/pairOutputs.js';
import { zeroDensity } from './zeroDensity.js';

/** The field that holds what the neighbors of a particle add up to, and F′ of it, between the two passes over the pairs. */
const blocks = ['eamDensity', 'eamSlope'].map(
  (name) => ({ name, type: 'f64', width: 1, members: [name] }) as const,
);

/** The functors of an embedded-atom potential U = Σ F(ρ_i) + Σ φ(r_ij), with their parameters. */
export interface EmbeddedAtom<D extends ParamSchema, E extends ParamSchema, P extends ParamSchema> {
  readonly rcut: number;
  /** First pass: adds ρ_j(r) to `eamDensity`. */
  readonly density: PairFunctor<{ readonly eamDensity: 'real' }, D>;
  readonly densityParams: ParamValues<D>;
  /** Between the passes: `eamSlope` = F′(ρ), and F(ρ) to `ep` when `energies` is 1. */
  readonly embed: CellFunctor<
    { readonly eamSlope: 'real'; readonly ep: 'real' },
    E & { readonly energies: 'u32' }
  >;
  /** Σ F(ρ), as `energy`. */
  readonly embedding: ReduceFunctor<{ readonly energy: 'sum' }, E>;
  readonly embedParams: ParamValues<E>;
  /** Second pass: forces −(F′_i ρ′_j + F′_j ρ′_i + φ′), and φ. */
  readonly pair: PairFunctor<typeof pairOutputs, P>;
  readonly pairParams: ParamValues<P>;
}

/**
 * The force term of an embedded-atom potential (Daw and Baskes, Phys. Rev. B 29, 6443, 1984):
 *
 *   pairs: ρ_i = Σ ρ_j(r)   ──►   particles: F(ρ_i), F′(ρ_i)   ──►   pairs: forces
 */
export function embeddedAtomTerm<
  D extends ParamSchema,
  E extends ParamSchema,
  P extends ParamSchema,
>(potential: EmbeddedAtom<D, E, P>): ForceTerm {
  const { rcut, density, embed, embedding, pair, embedParams } = potential;
  const pairs = pairForceTerm(pair, rcut, potential.pairParams, {
    weights: () => undefined, // the density knows of no bonds
  });
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    for (const block of blocks) grid.addBlock(block);
    const params = { ...embedParams, energies: Number(request.energies) };
    const before = [
      prepareCellParticles(grid, zeroDensity, ctx),
      prepareCellParticlePairs(grid, density, ctx, { rcut, params: potential.densityParams }),
      prepareCellParticles(grid, embed, ctx, { params: params as never }),
    ];
    const last = pairs.prepare!(grid, ctx, request);
    const embedded = request.totals ? ctx.value({ energy: 0 }) : null;
    const sum = embedded
      ? [prepareReduction(grid, embedding, {}, ctx, { params: embedParams, into: embedded })]
      : [];
    return {
      calls: [...before, ...last.calls, ...sum],
      totals: [...last.totals, ...(embedded ? [embedded] : [])],
      isCurrent: () => true,
      close() {
        for (const call of [...before, ...sum]) call.close();
        last.close();
        embedded?.close();
      },
    };
  };
  return {
    name: pair.name,
    rcut,
    sharesVirial: true,
    prepare,
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    totals(values) {
      const { energy, virial } = pairs.totals(values);
      return { energy: energy + values.energy!, virial };
    },
  };
}
