import { dimensions, type EntrySpec, type SlotSpecs } from '@corpuscle/core';
import { type CutoffSwitch, cutoffSwitches } from './cutoffSwitch.js';
import type { AnyPairPotential, Coefficients } from './definePairPotential.js';
import type { MixingRule } from './mixing.js';
import type { CutoffShift } from './pairOutputs.js';
import { shiftsOf } from './pairRows.js';

const cutoff = {
  type: 'quantity',
  dimension: dimensions.length,
  above: 0,
  doc: 'cutoff',
} as const satisfies EntrySpec;
const switchFrom = { ...cutoff, doc: 'where the window of switch begins' } as const;

/** What is asked of slots besides the coefficients. */
export interface PairSlotOptions {
  readonly mixing?: readonly MixingRule[];
  /** The potential has a cutoff of its own. */
  readonly ownCutoff?: boolean;
  /** The window where none is chosen; without there is no choice. */
  readonly switching?: CutoffSwitch;
  /** Shifts to choose from, the default first; without there is no choice. */
  readonly shifts?: readonly CutoffShift[];
  readonly charges?: boolean;
}

/** The slots that a potential asks for. */
export const slotOptionsOf = (p: AnyPairPotential): PairSlotOptions => ({
  ...(p.mixing ? { mixing: p.mixing } : {}),
  ownCutoff: p.cutoff !== undefined,
  switching: p.switching ?? 'none',
  shifts: shiftsOf(p),
  charges: p.charges ?? false,
});

/** Names of the numbers that a pair needs. */
export const neededNames = (
  coefficients: Coefficients,
  { ownCutoff }: PairSlotOptions,
): string[] => [...Object.keys(coefficients), ...(ownCutoff ? [] : ['rcut'])];

/** Entries of one pair: coefficients, rcut, and where a window begins. */
export function coefficientEntries(
  coefficients: Coefficients,
  options: PairSlotOptions,
  required: boolean,
): Record<string, EntrySpec> {
  const needed = required ? { required } : {};
  const entries = Object.entries(coefficients).map(([name, { mixes: _, ...coefficient }]) => [
    name,
    { type: 'quantity', ...coefficient, ...needed },
  ]);
  return {
    ...Object.fromEntries(entries),
    ...(options.ownCutoff ? {} : { rcut: { ...cutoff, ...needed } }),
    ...(options.switching ? { switch_from: switchFrom } : {}),
  };
}

/** `shift`, `switch` and `dielectric`, where the potential leaves them open. */
export function cutoffEntries({ shifts, switching, charges }: PairSlotOptions): SlotSpecs {
  return {
    ...(shifts ? { shift: shiftSlot(shifts) } : {}),
    ...(switching ? { switch: switchSlot(switching) } : {}),
    ...(charges ? { dielectric: dielectricSlot } : {}),
  };
}

/**
 * Slots of a pair force: its coefficients and rcut for all pairs of types, or a list `pairs`; `mixing`, where it has rules; and
 * what is done at the cutoff.
 */
export function pairForceSlots(coefficients: Coefficients, options: PairSlotOptions): SlotSpecs {
  const names = neededNames(coefficients, options);
  const { mixing: rules = [] } = options;
  return {
    ...coefficientEntries(coefficients, options, false),
    pairs: {
      type: 'list',
      minLength: 1,
      of: {
        type: 'map',
        entries: { types: typesEntry, ...coefficientEntries(coefficients, options, true) },
      },
      doc: `parameters for each pair of types, instead of ${listed(names)}`,
    },
    ...(rules.length > 0 ? { mixing: mixingSlot(rules) } : {}),
    ...cutoffEntries(options),
  };
}

export const typesEntry = {
  type: 'list',
  of: { type: 'particle_type' },
  length: 2,
  required: true,
  doc: 'the two types',
} as const satisfies EntrySpec;

const shiftSlot = (shifts: readonly CutoffShift[]) =>
  ({
    type: 'enum',
    values: shifts,
    default: shifts[0]!,
    doc: 'energy: u(rcut) = 0; force: also u′(rcut) = 0',
  }) as const satisfies EntrySpec;

/** A window that a potential has of its own is no default: with a shift there is no window. */
const switchSlot = (own: CutoffSwitch) =>
  ({
    type: 'enum',
    values: cutoffSwitches,
    ...(own === 'none' ? { default: own } : {}),
    doc: `energy and force end at rcut without a jump, from switch_from on: force adds a polynomial to the force, potential and xplor multiply the energy, smooth replaces the force by a polynomial${own === 'none' ? '' : `; ${own} where neither it nor a shift is chosen`}`,
  }) as const satisfies EntrySpec;

const dielectricSlot = {
  type: 'number',
  above: 0,
  default: 1,
  doc: 'relative permittivity',
} as const satisfies EntrySpec;

export const mixingSlot = (rules: readonly MixingRule[]) =>
  ({
    type: 'enum',
    values: ['none', ...rules],
    default: 'none',
    doc: 'how pairs of unlike types follow from those of like types; none: a missing pair is an error',
  }) as const;

/** `a, b and c` */
export function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}
