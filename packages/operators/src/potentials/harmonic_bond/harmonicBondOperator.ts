import { defineOperator, dimensions, type EntrySpec } from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { type HarmonicBondCoefficients, harmonicBond, harmonicBondForce } from './harmonicBond.js';

const k = {
  type: 'quantity',
  dimension: dimensions.stiffness,
  min: 0,
  doc: 'half of the spring constant',
} as const satisfies EntrySpec;
const r0 = {
  type: 'quantity',
  dimension: dimensions.length,
  min: 0,
  doc: 'length at rest',
} as const satisfies EntrySpec;

export const harmonicBondOperator = defineOperator({
  name: 'harmonic_bond_force',
  doc: 'Adds the forces of harmonic bonds, u(r) = k (r − r0)^2, between the particles that bond_particles named.',
  slots: {
    k,
    r0,
    kinds: {
      type: 'list',
      minLength: 1,
      of: { type: 'map', entries: { k: { ...k, required: true }, r0: { ...r0, required: true } } },
      doc: 'k and r0 for each kind of bonds, in their order, instead of k and r0',
    },
    rcut: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      required: true,
      doc: 'bonds are found up to this length; a longer one is an error',
    },
  },
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [harmonicBond],
  validate({ slots, fail }) {
    const given = slots.k !== undefined && slots.r0 !== undefined;
    if (slots.kinds && (slots.k !== undefined || slots.r0 !== undefined))
      fail('kinds', 'INVALID_VALUE', 'give either k and r0 or kinds, not both');
    if (!slots.kinds && !given)
      fail('', 'MISSING_VALUE', 'harmonic_bond_force needs k and r0, or kinds');
  },
  prepare({ slots }): ForceTerm {
    const kinds = slots.kinds ?? [{ k: slots.k!, r0: slots.r0! }];
    return harmonicBondForce({
      kinds: kinds as readonly HarmonicBondCoefficients[],
      rcut: slots.rcut,
    });
  },
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own, location }) => addForces(state, own, location),
});
