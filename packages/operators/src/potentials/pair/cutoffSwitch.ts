import { CorpuscleError } from '@corpuscle/core';

/**
 * What happens to a potential between the distance `on`, where a window begins, and its cutoff, where energy and force end at 0
 * without a jump. With x = r − on, X = rcut − on:
 *
 * | kind        | in the window                                                             | the same as                       |
 * |-------------|---------------------------------------------------------------------------|-----------------------------------|
 * | `force`     | F + w1 x² + w2 x³, so that F and F′ are 0 at rcut                         | GROMACS force-switch, LAMMPS `lj/gromacs` |
 * | `potential` | u S, S = 1 − 10 t³ + 15 t⁴ − 6 t⁵, t = x/X                                | GROMACS potential-switch, LAMMPS `lj/mdf` |
 * | `xplor`     | u S, S = (1 − t)² (1 + 2t), t = (r² − on²)/(rcut² − on²)                  | HOOMD xplor, LAMMPS `lj/charmm`   |
 * | `smooth`    | F is F(on) + w1 x + w2 x² + w3 x³, so that F and F′ go on at `on` and end at rcut | LAMMPS `lj/smooth`        |
 *
 * `force` and `smooth` add a constant to the energy before the window, so that it ends at 0.
 */
export type CutoffSwitch = 'none' | Window;
/** A switching window; see {@link CutoffSwitch}. */
export type Window = 'force' | 'potential' | 'xplor' | 'smooth';
export const cutoffSwitches = [
  'none',
  'force',
  'potential',
  'xplor',
  'smooth',
] as const satisfies readonly CutoffSwitch[];

/** Of force F and energy U at `at(r, on)` what they are in a window. The functions are compiled into kernels. */
export interface WindowForm {
  /** Where the potential is evaluated: `smooth` knows nothing of it beyond `on`. */
  readonly at: (r: number, on: number) => number;
  readonly force: WindowFunction;
  readonly energy: WindowFunction;
  /** Whether the force needs the energy, and the energy the force: what is not needed is not computed. */
  readonly mixes: { readonly force: boolean; readonly energy: boolean };
}
type WindowFunction = (
  F: number,
  U: number,
  r: number,
  on: number,
  w1: number,
  w2: number,
  w3: number,
) => number;

const everywhere = (r: number, _on: number): number => r;

export const windows: Readonly<Record<Window, WindowForm>> = {
  force: {
    at: everywhere,
    force: (F, _U, r, on, w1, w2, _w3) => {
      const x = Math.max(r - on, 0);
      return F + x * x * (w1 + w2 * x);
    },
    energy: (_F, U, r, on, w1, w2, _w3) => {
      const x = Math.max(r - on, 0);
      return U - x * x * x * (w1 / 3 + 0.25 * w2 * x);
    },
    mixes: { force: false, energy: false },
  },
  smooth: {
    at: (r, on) => Math.min(r, on),
    force: (F, _U, r, on, w1, w2, w3) => {
      const x = Math.max(r - on, 0);
      return F + x * (w1 + x * (w2 + x * w3));
    },
    energy: (F, U, r, on, w1, w2, w3) => {
      const x = Math.max(r - on, 0);
      return U - x * (F + x * (0.5 * w1 + x * (w2 / 3 + 0.25 * w3 * x)));
    },
    mixes: { force: false, energy: true },
  },
  potential: {
    at: everywhere,
    force: (F, U, r, on, w1, _w2, _w3) => {
      const t = Math.max((r - on) * w1, 0);
      const s = 1 - t * t * t * (10 - t * (15 - 6 * t));
      return F * s + U * 30 * t * t * (1 - t) * (1 - t) * w1;
    },
    energy: (_F, U, r, on, w1, _w2, _w3) => {
      const t = Math.max((r - on) * w1, 0);
      return U * (1 - t * t * t * (10 - t * (15 - 6 * t)));
    },
    mixes: { force: true, energy: false },
  },
  xplor: {
    at: everywhere,
    force: (F, U, r, on, w1, _w2, _w3) => {
      const t = Math.max((r * r - on * on) * w1, 0);
      return F * (1 - t * t * (3 - 2 * t)) + U * 12 * t * (1 - t) * w1 * r;
    },
    energy: (_F, U, r, on, w1, _w2, _w3) => {
      const t = Math.max((r * r - on * on) * w1, 0);
      return U * (1 - t * t * (3 - 2 * t));
    },
    mixes: { force: true, energy: false },
  },
};

/** The numbers of a window, and the constant that is taken off the energy. */
export interface WindowNumbers {
  readonly weights: readonly [w1: number, w2: number, w3: number];
  readonly offset: number;
}

/** A potential by u(r) and F(r) = −u′(r); F′ is found by differences where it is not known. */
export interface RadialValues {
  energy(r: number): number;
  force(r: number): number;
  forceSlope?(r: number): number;
}

/** @throws CorpuscleError INVALID_VALUE for a window that does not begin between `from` and the cutoff. */
export function checkWindow(on: number, rcut: number, from = 0): void {
  if (on > from && on < rcut) return;
  throw new CorpuscleError(
    'INVALID_VALUE',
    from > 0
      ? `switch_from is ${on}: give a distance between the first one of the table, ${from}, and rcut, which is ${rcut}`
      : `switch_from is ${on}: give a distance between 0 and rcut, which is ${rcut}`,
  );
}

/** The numbers of a window from `on` to `rcut`. */
export function windowNumbers(
  window: Window,
  on: number,
  rcut: number,
  { energy, force, forceSlope = (r) => derivative(force, r) }: RadialValues,
): WindowNumbers {
  const X = rcut - on;
  const numbers = (w1: number, w2: number, w3: number): WindowNumbers => {
    if (window === 'potential' || window === 'xplor') return { weights: [w1, w2, w3], offset: 0 };
    const { at, energy: switched } = windows[window];
    const s = at(rcut, on);
    return {
      weights: [w1, w2, w3],
      offset: switched(force(s), energy(s), rcut, on, w1, w2, w3),
    };
  };
  if (window === 'potential') return numbers(1 / X, 0, 0);
  if (window === 'xplor') return numbers(1 / (rcut * rcut - on * on), 0, 0);
  const place = window === 'force' ? rcut : on;
  const [F, slope] = [force(place), forceSlope(place)];
  if (window === 'force')
    return numbers((-3 * F + slope * X) / X ** 2, (2 * F - slope * X) / X ** 3, 0);
  return numbers(slope, -(3 * F + 2 * slope * X) / X ** 2, (2 * F + slope * X) / X ** 3);
}

/** f′(x) by central differences of halved steps, extrapolated to step 0 (Richardson): 12 digits or more of smooth functions. */
export function derivative(f: (x: number) => number, x: number): number {
  const levels = 7;
  let step = 0.04 * x;
  let row: number[] = [];
  let best = Number.NaN;
  let error = Infinity;
  for (let n = 0; n < levels; n++, step /= 2) {
    const next = [(f(x + step) - f(x - step)) / (2 * step)];
    for (let k = 1; k <= n; k++) {
      const value = next[k - 1]! + (next[k - 1]! - row[k - 1]!) / (4 ** k - 1);
      next.push(value);
      const change = Math.max(Math.abs(value - next[k - 1]!), Math.abs(value - row[k - 1]!));
      if (change < error) [best, error] = [value, change];
    }
    row = next;
  }
  return best;
}
