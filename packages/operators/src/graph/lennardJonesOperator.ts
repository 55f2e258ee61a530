import { CorpuscleError, defineOperator, dimensions, type LoadContext } from '@corpuscle/core';
import type { ForceTerm } from '../forces/ForceTerm.js';
import { lennardJonesForce } from '../potentials/lennardJonesForce.js';
import type { LennardJonesPair, Mixing } from '../potentials/pairTables.js';
import { addForces } from './currentLedger.js';
import { gridKey, ledgerKey } from './stateKeys.js';

export const lennardJonesOperator = defineOperator({
  name: 'lennard_jones_force',
  doc: 'Adds Lennard-Jones forces, u(r) = 4 epsilon ((sigma/r)^12 − (sigma/r)^6), cut off at rcut.',
  slots: {
    epsilon: {
      type: 'quantity',
      dimension: dimensions.energy,
      min: 0,
      doc: 'depth, for all pairs of types',
    },
    sigma: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'diameter, for all pairs',
    },
    rcut: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'cutoff, for all pairs',
    },
    pairs: {
      type: 'list',
      minLength: 1,
      of: {
        type: 'map',
        entries: {
          types: {
            type: 'list',
            of: { type: 'particle_type' },
            length: 2,
            required: true,
            doc: 'the two types',
          },
          epsilon: {
            type: 'quantity',
            dimension: dimensions.energy,
            min: 0,
            required: true,
            doc: 'depth',
          },
          sigma: {
            type: 'quantity',
            dimension: dimensions.length,
            above: 0,
            required: true,
            doc: 'diameter',
          },
          rcut: {
            type: 'quantity',
            dimension: dimensions.length,
            above: 0,
            required: true,
            doc: 'cutoff',
          },
        },
      },
      doc: 'parameters for each pair of types, instead of epsilon, sigma and rcut',
    },
    mixing: {
      type: 'enum',
      values: ['none', 'lorentz_berthelot'],
      default: 'none',
      doc: 'how pairs of unlike types follow from those of like types; none: a missing pair is an error',
    },
    shift: {
      type: 'enum',
      values: ['none', 'energy', 'force'],
      default: 'none',
      doc: 'energy: u(rcut) = 0; force: also u′(rcut) = 0',
    },
  },
  requires: [gridKey],
  provides: [ledgerKey],
  validate({ slots, fail, ...load }) {
    const single = (['epsilon', 'sigma', 'rcut'] as const).filter((k) => slots[k] !== undefined);
    if (slots.pairs && single.length > 0)
      fail(single[0]!, 'INVALID_VALUE', `give either ${single[0]} or pairs, not both`);
    if (!slots.pairs && single.length < 3) {
      const missing = (['epsilon', 'sigma', 'rcut'] as const).filter((k) => !single.includes(k));
      fail(
        '',
        'MISSING_VALUE',
        `lennard_jones_force needs epsilon, sigma and rcut, or pairs: ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`,
      );
    }
    try {
      makeTerm(slots as Slots, load);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      fail(slots.pairs ? 'pairs' : '', error.code, error.message);
    }
  },
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots as Slots, state.simulation),
  execute: ({ state, own }) => addForces(state, own),
});

interface Slots {
  readonly epsilon?: number;
  readonly sigma?: number;
  readonly rcut?: number;
  readonly pairs?: readonly LennardJonesPair[];
  readonly mixing: Mixing;
  readonly shift: 'none' | 'energy' | 'force';
}

function makeTerm(slots: Slots, { particleTypes }: Pick<LoadContext, 'particleTypes'>): ForceTerm {
  const { epsilon, sigma, rcut, pairs, mixing, shift } = slots;
  const { names } = particleTypes;
  return lennardJonesForce({
    types: names.length > 0 ? names : ['A'],
    pairs: pairs ?? [{ epsilon: epsilon!, sigma: sigma!, rcut: rcut! }],
    mixing,
    shift,
  });
}
