import type { ParamValues } from '@corpuscle/patterns';
import { type CutoffShift, shortestTable } from './pairOutputs.js';
import { coefficientNames, type RadialFunction, type RadialParams } from './radialFunctor.js';

/**
 * Parameters of a radial functor: `columns[k]` is the k-th coefficient of every ordered pair of types, row by row, and
 * `rcut` their cutoffs. Offset and slope follow from the potential at the cutoff.
 */
export function radialParameters(
  types: number,
  columns: readonly (readonly number[])[],
  rcut: readonly number[],
  potential: { readonly energy: RadialFunction; readonly force: RadialFunction },
  shift: CutoffShift,
): ParamValues<RadialParams> {
  const at = (f: RadialFunction) => rcut.map((r, k) => f(r, ...columns.map((c) => c[k]!)));
  const slope = shift === 'force' ? at(potential.force).map((f) => -f) : rcut.map(() => 0);
  const energy = shift === 'none' ? rcut.map(() => 0) : at(potential.energy);
  const names = coefficientNames(columns.length);
  return {
    types,
    rcut2: shortestTable(rcut.map((r) => r * r)),
    offset: shortestTable(energy.map((u, k) => u - rcut[k]! * slope[k]!)),
    slope: shortestTable(slope),
    ...Object.fromEntries(names.map((name, k) => [name, shortestTable([...columns[k]!])])),
  };
}
