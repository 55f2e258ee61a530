import { erfc } from '@corpuscle/functor';
import type { ParamValues } from '@corpuscle/patterns';
import { checkWindow, windowNumbers } from './cutoffSwitch.js';
import { type CutoffShift, shortestTable } from './pairOutputs.js';
import { layerNames, type RadialForm, type RadialLayer, type RadialParams } from './radialLayer.js';

/** The numbers of a layer for one pair of types. */
export interface RadialRow {
  readonly rcut: number;
  readonly numbers: readonly number[];
  readonly shift: CutoffShift;
  /** Where a window begins. */
  readonly on?: number;
  /** 1/(4πε₀ε), of charged layers. */
  readonly coulomb?: number;
  /** What damping takes from the energy of a unit charge, where charges have an energy by themselves. */
  readonly self?: number;
}

/**
 * Parameters of a radial functor: for each layer a row for every ordered pair of types, one pair after the other; null where the
 * layer does not act.
 *
 * @throws CorpuscleError INVALID_VALUE for a window that does not begin between 0 and the cutoff.
 */
export function radialParameters(
  types: number,
  layers: readonly { readonly layer: RadialLayer; readonly rows: readonly (RadialRow | null)[] }[],
): ParamValues<RadialParams> {
  const alone = layers.length === 1;
  const tables: Record<string, number[]> = {};
  layers.forEach(({ layer, rows }, n) => {
    Object.assign(tables, layerTables(layer, rows, alone ? null : n));
  });
  if (!alone)
    tables.rcut2 = layers[0]!.rows.map((_, k) =>
      Math.max(...layers.map(({ rows }) => (rows[k]?.rcut ?? 0) ** 2)),
    );
  const shortest = Object.entries(tables).map(([name, table]) => [name, shortestTable(table)]);
  return { ...Object.fromEntries(shortest), types } as ParamValues<RadialParams>;
}

function layerTables(
  layer: RadialLayer,
  rows: readonly (RadialRow | null)[],
  index: number | null,
): Record<string, number[]> {
  const names = layerNames(layer, index);
  const known = new Map<RadialRow, Record<string, number>>();
  // Pairs beyond their cutoff, 0, have the numbers of others: what is computed for them is finite, and thrown away.
  const filler = rows.find((row) => row !== null)!;
  const entries = rows.map((row) => {
    const of = row ?? filler;
    let entry = known.get(of);
    if (!entry) {
      entry = entryOf(layer, of);
      known.set(of, entry);
    }
    return row ? entry : { ...entry, rcut2: 0 };
  });
  const column = (key: string) => entries.map((entry) => entry[key]!);
  const { rcut2, offset, slope, on, weights, coulomb, numbers } = names;
  const tables: Record<string, number[]> = { [rcut2]: column('rcut2'), [offset]: column('offset') };
  if (layer.switching === 'none') tables[slope] = column('slope');
  else {
    tables[on] = column('on');
    weights.forEach((name, k) => {
      tables[name] = column(`w${k}`);
    });
  }
  if (layer.form.charges) tables[coulomb] = column('coulomb');
  numbers.forEach((name, k) => {
    tables[name] = column(`c${k}`);
  });
  return tables;
}

/** What shifts and windows make of a potential at its cutoff. */
function entryOf({ form, switching }: RadialLayer, row: RadialRow): Record<string, number> {
  const { rcut, numbers, shift, on = 0, coulomb = 1 } = row;
  const u = radialAt(form, numbers);
  const own = {
    rcut2: rcut * rcut,
    coulomb,
    ...Object.fromEntries(numbers.map((value, k) => [`c${k}`, value])),
  };
  if (switching === 'none') {
    const slope = shift === 'force' ? -u.force(rcut) : 0;
    return { ...own, slope, offset: shift === 'none' ? 0 : u.energy(rcut) - rcut * slope };
  }
  checkWindow(on, rcut);
  const { weights, offset } = windowNumbers(switching, on, rcut, u);
  const [w0, w1, w2] = weights;
  return { ...own, on, w0, w1, w2, offset };
}

/** The constant that a layer takes off the energy. */
export const offsetOf = (layer: RadialLayer, row: RadialRow): number => entryOf(layer, row).offset!;

/** Energy and force of a potential at a distance, for unit charges. */
function radialAt(form: RadialForm, numbers: readonly number[]) {
  const { damping } = form;
  const given = (r: number) =>
    damping === undefined ? numbers : [...numbers, erfc(numbers[damping]! * r)];
  return {
    energy: (r: number): number => form.energy(r, ...given(r)),
    force: (r: number): number => form.force(r, ...given(r)),
  };
}
