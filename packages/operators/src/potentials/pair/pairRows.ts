import { type Bounds, CorpuscleError, UnitSystem } from '@corpuscle/core';
import { withinTime } from '#operators/platform';
import { completePairs, type PairEntry } from './completePairs.js';
import type { CutoffSwitch } from './cutoffSwitch.js';
import type { Coefficients, PairPotentialSpec } from './definePairPotential.js';
import { type MixesAs, type Mixing, mixedPair } from './mixing.js';
import { type CutoffShift, cutoffShifts } from './pairOutputs.js';
import type { RadialRow } from './radialParameters.js';

/** An entry with the coefficients of a potential by name, and what is done at its cutoff. */
export type NumberEntry = PairEntry & Readonly<Record<string, unknown>>;

/** How entries are understood. */
export interface RowOptions {
  readonly mixing?: Mixing;
  readonly shift?: CutoffShift;
  readonly switch?: CutoffSwitch;
  readonly dielectric?: number;
  readonly units?: UnitSystem;
}

type Spec = PairPotentialSpec<Coefficients>;

/**
 * The numbers of every ordered pair of types, row by row.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, INVALID_VALUE.
 */
export function pairRows(
  spec: Spec,
  types: readonly string[],
  entries: readonly NumberEntry[],
  options: RowOptions,
): RadialRow[] {
  const { mixing: chosen = 'none' } = options;
  const switching = windowOf(spec, options);
  for (const entry of entries) checkEntry(spec, entry, options);
  const { mixing: rules = [] } = spec;
  const mixes = mixesOf(spec, switching);
  const rows = new Map<NumberEntry, RadialRow>();
  const table = completePairs(types, entries, {
    chosen,
    rules,
    mix: (rule, aa, bb) => mixedPair(rule, mixes, aa, bb) as NumberEntry,
  });
  return table.map((entry) => {
    let row = rows.get(entry);
    if (!row) {
      row = pairRow(spec, entry, options);
      rows.set(entry, row);
    }
    return row;
  });
}

/** What the numbers of a pair are to mixing rules. */
export const mixesOf = (
  spec: Spec,
  switching: CutoffSwitch,
): Readonly<Record<string, MixesAs | undefined>> => ({
  ...Object.fromEntries(
    Object.entries(spec.coefficients).map(([name, coefficient]) => [name, coefficient.mixes]),
  ),
  ...(switching === 'none' ? {} : { switchFrom: 'length' as const }),
});

/** The numbers of one pair, from its coefficients. */
export function pairRow(spec: Spec, entry: NumberEntry, options: RowOptions): RadialRow {
  const { units = UnitSystem.lj, dielectric = 1 } = options;
  const names = Object.keys(spec.coefficients);
  const values = Object.fromEntries(names.map((name) => [name, Number(entry[name])]));
  // Functions of an author are called as they were written, where nothing else watches them.
  const call = <R>(name: string, run: () => R): R =>
    withinTime(`the function ${name} of '${spec.name}'`, run);
  const rcut = spec.cutoff ? call('cutoff', () => spec.cutoff!(values)) : Number(entry.rcut);
  const numbers = spec.numbers
    ? call('numbers', () => spec.numbers!({ ...values, rcut }, units))
    : names.map((name) => values[name]!);
  if (numbers.some(Number.isNaN)) {
    const given = names.map((name) => `${name} ${values[name]}`).join(', ');
    throw new CorpuscleError(
      'INVALID_VALUE',
      `there is no potential '${spec.name}' of ${given}: give other numbers`,
    );
  }
  checkEnergy(spec, rcut, numbers);
  return {
    rcut,
    numbers,
    shift: options.shift ?? spec.shift ?? 'none',
    ...(entry.switchFrom === undefined ? {} : { on: Number(entry.switchFrom) }),
    ...(spec.charges ? { coulomb: units.coulomb / Number(entry.dielectric ?? dielectric) } : {}),
    ...(spec.selfEnergy ? { self: call('selfEnergy', () => spec.selfEnergy!(values)) } : {}),
  };
}

/** A loop may have no end, which nothing ends in a page: such an energy is called where it must be. */
export const LOOP = /\b(?:for|while)\s*\(/;

/** @throws CorpuscleError INVALID_VALUE where an energy of its coefficients alone is no number just within the cutoff. */
function checkEnergy(spec: Spec, rcut: number, numbers: readonly number[]): void {
  if (spec.numbers || spec.damping || LOOP.test(String(spec.energy))) return;
  const r = 0.999 * rcut;
  const u = spec.energy(r, ...numbers);
  if (Number.isFinite(u)) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the energy of the potential '${spec.name}' is ${u} at the distance ${Number(r.toPrecision(4))}, within the cutoff: mend its formula, or give other numbers`,
  );
}

/** @throws CorpuscleError INVALID_VALUE for a number out of its bounds, and for what cannot be done at the cutoff. */
export function checkEntry(spec: Spec, entry: NumberEntry, options: RowOptions): void {
  for (const [name, bounds] of Object.entries(spec.coefficients))
    checkBounds(name, Number(entry[name]), bounds);
  if (!spec.cutoff) checkBounds('rcut', Number(entry.rcut), cutoff);
  if (entry.dielectric !== undefined) checkBounds('dielectric', Number(entry.dielectric), cutoff);
  checkCutoff(spec, entry, options);
}

/** The window in which a potential ends: its own one only if no shift is chosen. */
export function windowOf(
  { shift: own = 'none', switching = 'none' }: Pick<Spec, 'shift' | 'switching'>,
  { shift = own, switch: window }: Pick<RowOptions, 'shift' | 'switch'>,
): CutoffSwitch {
  return window ?? (shift === own ? switching : 'none');
}

/** The shifts that a potential can have: what it has by definition, and more than that. */
export const shiftsOf = ({ shift = 'none' }: Pick<Spec, 'shift'>): CutoffShift[] =>
  cutoffShifts.slice(cutoffShifts.indexOf(shift));

/** @throws CorpuscleError INVALID_VALUE for what cannot be done at the cutoff. */
export function checkCutoff(
  spec: Pick<Spec, 'name' | 'shift' | 'switching'>,
  entry: object,
  options: Pick<RowOptions, 'shift' | 'switch'>,
): void {
  const { switchFrom } = entry as { readonly switchFrom?: number };
  const { shift = spec.shift ?? 'none' } = options;
  const switching = windowOf(spec, options);
  const refuse = (message: string): never => {
    throw new CorpuscleError('INVALID_VALUE', message);
  };
  if (!shiftsOf(spec).includes(shift))
    refuse(`shift is '${shift}', but ${spec.name} has shift '${spec.shift}' by definition`);
  if (switching === 'none') {
    if (switchFrom !== undefined) refuse('switch_from says where a window begins: give switch too');
    return;
  }
  if (shift !== (spec.shift ?? 'none'))
    refuse(
      `switch '${switching}' ends energy and force at the cutoff: give either shift or switch`,
    );
  if (switchFrom === undefined)
    refuse(`switch '${switching}' needs switch_from, the distance where its window begins`);
}

const cutoff: Bounds = { above: 0 };

function checkBounds(name: string, value: number, bounds: Bounds): void {
  const { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity } = bounds;
  if (Number.isFinite(value) && value >= min && value <= max && value > above && value < below)
    return;
  const wanted = Object.entries({
    'at least': bounds.min,
    'at most': bounds.max,
    above: bounds.above,
    below: bounds.below,
  })
    .flatMap(([words, bound]) => (bound === undefined ? [] : [`${words} ${bound}`]))
    .join(' and ');
  throw new CorpuscleError(
    'INVALID_VALUE',
    `${name} is ${value}: give a number ${wanted}`.trimEnd(),
  );
}
