import type { Grid } from '@corpuscle/core';
import {
  cellFunctor,
  type ExecutionContext,
  prepareCellParticles,
  prepareReduction,
  reduceFunctor,
} from '@corpuscle/patterns';
import type { ForceRequest, ForceTerm } from '../../forces/ForceTerm.js';
import { evaluateOnce, type PreparedForce } from '../../forces/PreparedForce.js';

/** Adds to each particle the energy that its charge has by itself; `self` is that of a unit charge, for each type. */
const chargeSelfEnergy = cellFunctor(
  {
    name: 'charge_self_energy',
    fields: { ep: 'real' },
    read: { type: 'u32', charge: 'real' },
    params: { self: 'real[]' },
    traits: { gpu: true },
  },
  (i, p) => {
    i.ep += p.self[i.type]! * i.charge * i.charge;
  },
);

/** The sum of {@link chargeSelfEnergy}. */
const chargeSelfEnergySum = reduceFunctor(
  {
    name: 'charge_self_energy_sum',
    result: { self: 'sum' },
    read: { type: 'u32', charge: 'real' },
    params: { self: 'real[]' },
    traits: { gpu: true },
  },
  (acc, i, p) => {
    acc.self += p.self[i.type]! * i.charge * i.charge;
  },
);

/** A term of pairs, and the energy that each charge has by itself; `self` is that of a unit charge, for each type. */
export function withSelfEnergy(pairs: ForceTerm, self: readonly number[]): ForceTerm {
  const params = { self: [...self] };
  const prepare = (grid: Grid, ctx: ExecutionContext, request: ForceRequest): PreparedForce => {
    const last = pairs.prepare!(grid, ctx, request);
    const total = request.totals ? ctx.value({ self: 0 }) : null;
    const calls = [
      ...(request.energies ? [prepareCellParticles(grid, chargeSelfEnergy, ctx, { params })] : []),
      ...(total
        ? [prepareReduction(grid, chargeSelfEnergySum, {}, ctx, { params, into: total })]
        : []),
    ];
    return {
      calls: [...calls, ...last.calls],
      totals: [...last.totals, ...(total ? [total] : [])],
      isCurrent: last.isCurrent,
      close() {
        for (const call of calls) call.close();
        last.close();
        total?.close();
      },
    };
  };
  return {
    name: pairs.name,
    rcut: pairs.rcut,
    sharesVirial: true,
    prepare,
    compute: (grid, ctx, request) => evaluateOnce(prepare(grid, ctx, request)),
    totals(values) {
      const { energy, virial } = pairs.totals(values);
      return { energy: energy + values.self!, virial };
    },
  };
}
