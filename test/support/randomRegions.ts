import type { RegionExpression } from '@corpuscle/operators';

/**
 * Random regions and points for which arithmetic is exact, so that points on a boundary too are in the same regions wherever they are
 * tested: points are multiples of 1/8, all other numbers multiples of 1/4, slopes of cones of 1/16.
 */
const next = generator(20211);

/** Whole numbers below `n`: a linear congruential generator (Numerical Recipes). */
function generator(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Half the edge of the box. */
export const HALF = 8;
type Points = readonly (readonly [number, number, number])[];
export const points: Points = Array.from({ length: 10_000 }, () => [
  coordinate(),
  coordinate(),
  coordinate(),
]);
/** The same a bit farther on, where none is on a boundary: devices keep places relative to cells, and round them. */
export const shifted: Points = points.map(([x, y, z]) => [x + 1 / 32, y + 1 / 64, z + 1 / 128]);

function coordinate(): number {
  return next(16 * HALF) / 8 - HALF;
}

type Three = [number, number, number];
const within = (reach: number) => next(8 * reach + 1) / 4 - reach;
const place = (): Three => [within(4), within(4), within(4)];

/** A region, and the commands of LAMMPS that define it under a name. */
export interface RandomRegion {
  readonly expression: RegionExpression;
  commands(name: string, isComplement?: boolean): string[];
}

const side = (isComplement: boolean) => (isComplement ? 'side out' : 'side in');

function box(): RandomRegion {
  const [lower, upper] = [place(), [0, 0, 0].map(() => next(24) / 4) as Three];
  const bounds = lower.map((x, k) => [x, x + upper[k]!] as [number, number]);
  const [x, y, z] = bounds;
  return {
    expression: { box: { x: x!, y: y!, z: z! } },
    commands: (name, out = false) => [
      `region ${name} block ${bounds.flat().join(' ')} ${side(out)}`,
    ],
  };
}

function sphere(): RandomRegion {
  const [center, radius] = [place(), 1 + next(20) / 4];
  return {
    expression: { sphere: { center, radius } },
    commands: (name, out = false) => [
      `region ${name} sphere ${center.join(' ')} ${radius} ${side(out)}`,
    ],
  };
}

/** A cylinder or a cone along x, y or z. */
function round(isCone: boolean): RandomRegion {
  const axis = next(3);
  const from = place();
  const to = [...from] as Three;
  to[axis] = from[axis]! + (next(2) === 0 ? 4 : 8);
  const radii = [1 + next(12) / 4, isCone ? next(16) / 4 : 0];
  const radius = radii[0]!;
  // The two other coordinates of the axis, as LAMMPS wants them: in the order of x, y, z.
  const across = from.filter((_, k) => k !== axis).join(' ');
  const ends = `${from[axis]} ${to[axis]}`;
  const numbers = isCone ? radii.join(' ') : String(radius);
  const style = isCone ? 'cone' : 'cylinder';
  return {
    expression: isCone ? { cone: { from, to, radii } } : { cylinder: { from, to, radius } },
    commands: (name, out = false) => [
      `region ${name} ${style} ${'xyz'[axis]} ${across} ${numbers} ${ends} ${side(out)}`,
    ],
  };
}

function plane(): RandomRegion {
  // No point is on it: LAMMPS normalizes the normal, and rounds.
  const point = place();
  point[2] += 1 / 16;
  const normal = [next(5) - 2, next(5) - 2, 2 * next(2) - 1] as Three;
  return {
    expression: { plane: { point, normal } },
    commands: (name, out = false) => [
      `region ${name} plane ${point.join(' ')} ${normal.join(' ')} ${side(out)}`,
    ],
  };
}

function joined(key: 'union' | 'intersection' | 'difference', depth: number): RandomRegion {
  const parts = Array.from({ length: 2 + next(2) }, () => region(depth - 1));
  const isOut = (k: number) => key === 'difference' && k > 0;
  return {
    expression: { [key]: parts.map(({ expression }) => expression) },
    commands(name, out = false) {
      const names = parts.map((_, k) => `${name}_${k}`);
      const style = key === 'union' ? 'union' : 'intersect';
      return [
        ...parts.flatMap((part, k) => part.commands(names[k]!, isOut(k))),
        `region ${name} ${style} ${parts.length} ${names.join(' ')} ${side(out)}`,
      ];
    },
  };
}

function region(depth: number): RandomRegion {
  const kind = depth === 0 ? next(5) : 5 + next(5);
  if (kind === 0) return box();
  if (kind === 1) return sphere();
  if (kind <= 3) return round(kind === 3);
  if (kind === 4) return plane();
  if (kind <= 6) return joined('union', depth);
  if (kind === 7) return joined('intersection', depth);
  if (kind === 8) return joined('difference', depth);
  const of = region(depth - 1);
  return {
    expression: { complement: of.expression },
    commands: (name, out = false) => of.commands(name, !out),
  };
}

export const regions: readonly RandomRegion[] = Array.from({ length: 50 }, (_, k) => region(k % 4));
