import type { Grid } from '@corpuscle/core';
import {
  type ContextValue,
  type ExecutionContext,
  prepareCellParticles,
  prepareValues,
  valueFunctor,
} from '@corpuscle/patterns';
import type { ForceRequest } from '../../forces/ForceTerm.js';
import type { PreparedForce } from '../../forces/PreparedForce.js';
import { referencesOf } from '../../run/contextValues.js';
import { addBias, type HarmonicBias } from './harmonicBias.js';
import type { PreparedCoordination } from './PreparedCoordination.js';
import { SHARED_PLACE } from './placeFields.js';

/** What a bias knows of the whole system. */
const nothing = {
  number: 0,
  scale: 0,
  energy: 0,
  share: 0,
  w0: 0,
  w1: 0,
  w2: 0,
  w3: 0,
  w4: 0,
  w5: 0,
} as const;

/** S, dE/dS, the energy, and its share of a particle. */
const biasOfNumber = valueFunctor(
  {
    name: 'harmonic_bias',
    values: { cn: 'real', number: 'real', scale: 'real', energy: 'real', share: 'real' },
    params: { once: 'real', at: 'real', kappa: 'real', particles: 'real' },
  },
  (v, p) => {
    v.number = p.once * v.cn;
    const apart = v.number - p.at;
    v.scale = p.kappa * apart;
    v.energy = 0.5 * v.scale * apart;
    v.share = v.energy / p.particles;
  },
);

/** The virial: minus the strain derivative of E. */
const virialOfSums = valueFunctor(
  {
    name: 'virial_of_bias',
    values: {
      cnbxx: 'real',
      cnbyy: 'real',
      cnbzz: 'real',
      cnbxy: 'real',
      cnbxz: 'real',
      cnbyz: 'real',
      scale: 'real',
      w0: 'real',
      w1: 'real',
      w2: 'real',
      w3: 'real',
      w4: 'real',
      w5: 'real',
    },
    params: { once: 'real' },
  },
  (v, p) => {
    const w = -p.once * v.scale;
    v.w0 = w * v.cnbxx;
    v.w1 = w * v.cnbyy;
    v.w2 = w * v.cnbzz;
    v.w3 = w * v.cnbxy;
    v.w4 = w * v.cnbxz;
    v.w5 = w * v.cnbyz;
  },
);

/** The state of a bias on the device, as `preparedBias` leaves it. */
export type BiasState = ContextValue<keyof typeof nothing>;

/** Room for the state of a bias. */
export const biasState = (ctx: ExecutionContext): BiasState => ctx.value(nothing);

/** The evaluation of a bias by prepared calls: nothing of it travels to the host but totals that are asked for. */
export function preparedBias(
  grid: Grid,
  ctx: ExecutionContext,
  number: PreparedCoordination,
  state: BiasState,
  { at, kappa }: HarmonicBias,
  request: ForceRequest,
): PreparedForce {
  const { whole, forForces, sums, once, place } = number;
  const values = { ...referencesOf(sums), ...referencesOf(state) };
  const compute = prepareValues(biasOfNumber, ctx, {
    values,
    params: { once, at, kappa, particles: grid.count },
  });
  const virial = request.totals
    ? [prepareValues(virialOfSums, ctx, { values, params: { once } })]
    : [];
  const acts = request.forces || request.energies;
  const add = prepareCellParticles(grid, addBias(request.totals ? SHARED_PLACE : place), ctx, {
    params: {
      scale: request.forces ? state.of('scale') : 0,
      share: request.energies ? state.of('share') : 0,
    },
  });
  const own = [compute, ...virial, ...(acts ? [add] : [])];
  return {
    calls: [...(request.totals ? whole : forForces), ...own],
    totals: request.totals ? [state] : [],
    isCurrent: number.isCurrent,
    close() {
      for (const call of own) call.close();
    },
  };
}
