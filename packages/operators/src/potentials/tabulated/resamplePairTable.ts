import { CorpuscleError } from '@corpuscle/core';
import {
  type CutoffSwitch,
  checkWindow,
  type RadialValues,
  type WindowForm,
  windowNumbers,
  windows,
} from '../pair/cutoffSwitch.js';
import type { CutoffShift } from '../pair/pairOutputs.js';
import { CubicSpline } from './CubicSpline.js';
import type { PairTableSection } from './parsePairTable.js';

/** How values between the points of a table are found. */
export type TableInterpolation = 'linear' | 'spline';

/** Energy u and force over distance f = −u′/r at points equally spaced in r², with second derivatives by r². */
export interface SquaredTable {
  readonly inner2: number;
  /** Distance of two points, in r². */
  readonly spacing: number;
  readonly u: Float64Array;
  readonly f: Float64Array;
  /** Zeros for linear interpolation. */
  readonly uu: Float64Array;
  readonly ff: Float64Array;
}

/** What is done to a table at its cutoff; nothing without. */
export interface TableEnd {
  readonly shift?: CutoffShift;
  readonly switch?: CutoffSwitch;
  /** Where the window begins. */
  readonly switchFrom?: number | undefined;
}

/**
 * What LAMMPS's `pair_style table linear|spline` makes of a section: splines through its energies and forces, read off at
 * `points` distances equally spaced in r² from the first one to rcut. Linear tables that are such points already are
 * taken as they stand. A shift changes the section first; a window the values of the splines.
 *
 * @throws CorpuscleError INVALID_VALUE when rcut, or the begin of the window, is not within the section.
 */
export function resamplePairTable(
  section: PairTableSection,
  rcut: number,
  points: number,
  interpolation: TableInterpolation,
  { shift = 'none', switch: switching = 'none', switchFrom = 0 }: TableEnd = {},
): SquaredTable {
  const [inner, outer] = [section.r[0]!, section.r.at(-1)!];
  // R and RSQ give the last distance by arithmetic.
  const cut = Math.abs(rcut / outer - 1) < 1e-14 ? outer : rcut;
  if (!(cut > inner && cut <= outer))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `rcut is ${rcut}, but the table reaches from ${inner} to ${outer}: choose rcut within`,
    );
  const { r, energy, force, slopes } = shifted(section, cut, shift);
  const n = r.length;
  const u = new CubicSpline(r, energy, [-force[0]!, -force[n - 1]!]);
  const chord = (a: number, b: number) => (force[b]! - force[a]!) / (r[b]! - r[a]!);
  const f = new CubicSpline(r, force, slopes ?? [chord(0, 1), chord(n - 2, n - 1)]);

  const inner2 = inner * inner;
  const spacing = (cut * cut - inner2) / (points - 1);
  const x = Float64Array.from({ length: points }, (_, k) => inner2 + k * spacing);
  const asRead = interpolation === 'linear' && section.inSquares && n === points && cut === outer;
  const splines: RadialValues = {
    energy: (r) => u.at(r),
    force: (r) => f.at(r),
    forceSlope: (r) => f.slope(r),
  };
  if (switching !== 'none') checkWindow(switchFrom, cut, inner);
  const ended =
    switching === 'none'
      ? { ...splines, offset: 0 }
      : switchedValues(splines, switching, switchFrom, cut);
  const isRead = (r2: number) => asRead && (switching === 'none' || r2 <= switchFrom * switchFrom);
  const table = {
    inner2,
    spacing,
    u: x.map((r2, k) => (isRead(r2) ? energy[k]! - ended.offset : ended.energy(Math.sqrt(r2)))),
    f: x.map((r2, k) => (isRead(r2) ? force[k]! : ended.force(Math.sqrt(r2))) / Math.sqrt(r2)),
  };
  if (interpolation === 'linear')
    return { ...table, uu: new Float64Array(points), ff: new Float64Array(points) };

  // By g = r²: du/dg = −F/2r, and d(F/r)/dg = (F′/r − F/r²)/2r or, where F′ is not known, a short chord.
  const over = (r2: number) => ended.force(Math.sqrt(r2)) / Math.sqrt(r2);
  const exact = (at: number, slope: number) => (slope / at - f.at(at) / (at * at)) / (2 * at);
  const step = 0.1 * spacing;
  const cut2 = cut * cut;
  const first = slopes ? exact(inner, slopes[0]) : (over(inner2 + step) - over(inner2)) / step;
  const last =
    slopes && cut === outer && switching === 'none'
      ? exact(cut, slopes[1])
      : (over(cut2) - over(cut2 - step)) / step;
  return {
    ...table,
    uu: new CubicSpline(x, table.u, [-table.f[0]! / 2, -table.f[points - 1]! / 2]).curvature,
    ff: new CubicSpline(x, table.f, [first, last]).curvature,
  };
}

/** Energy and force that end in a window, and the constant that is taken off before it. */
function switchedValues(
  values: RadialValues,
  window: Exclude<CutoffSwitch, 'none'>,
  on: number,
  rcut: number,
): RadialValues & { readonly offset: number } {
  const { at, force, energy }: WindowForm = windows[window];
  const { weights, offset } = windowNumbers(window, on, rcut, values);
  const given = (r: number) => {
    const s = at(r, on);
    return [values.force(s), values.energy(s), r, on, ...weights] as const;
  };
  return {
    offset,
    energy: (r) => energy(...given(r)) - offset,
    force: (r) => force(...given(r)),
  };
}

/** u − offset − slope r, as for every other potential. */
function shifted(section: PairTableSection, rcut: number, shift: CutoffShift): PairTableSection {
  if (shift === 'none') return section;
  const { r, energy, force } = section;
  const n = r.length;
  const at = (y: readonly number[], slopes: readonly [number, number]) =>
    new CubicSpline(r, y, slopes).at(rcut);
  const chord = (k: number) => (force[k + 1]! - force[k]!) / (r[k + 1]! - r[k]!);
  const slope = shift === 'force' ? -at(force, section.slopes ?? [chord(0), chord(n - 2)]) : 0;
  const offset = at(energy, [-force[0]!, -force[n - 1]!]) - rcut * slope;
  return {
    ...section,
    energy: energy.map((u, k) => u - offset - slope * r[k]!),
    force: force.map((f) => f + slope),
  };
}
