import type { Slots } from '../Draft.js';

type Matrix = readonly (readonly number[])[];
type Axis = 'x' | 'y' | 'z';

/** Values ≤ 0 are inside. */
const SHAPES: Readonly<Record<string, readonly number[]>> = {
  sphere: [1, 1, 1, -1],
  cylx: [0, 1, 1, -1],
  cyly: [1, 0, 1, -1],
  cylz: [1, 1, 0, -1],
  conex: [-1, 1, 1, 0],
  coney: [1, -1, 1, 0],
  conez: [1, 1, -1, 0],
};

/** A step of the transformation of a quadric, in internal units. */
export type Transform =
  | { readonly scale: readonly number[] }
  | { readonly translate: readonly number[] }
  | { readonly rotate: Axis; readonly angle: number };

/** The form xᵀQx of a shape, with 1 as the fourth coordinate; null for any other name. */
export function quadricOf(shape: string | readonly number[]): Matrix | null {
  if (typeof shape !== 'string') {
    const [a = 0, b = 0, c = 0, d = 0] = shape;
    return [
      [0, 0, 0, a / 2],
      [0, 0, 0, b / 2],
      [0, 0, 0, c / 2],
      [a / 2, b / 2, c / 2, d],
    ];
  }
  if (!Object.hasOwn(SHAPES, shape)) return null;
  return SHAPES[shape]!.map((value, k) => [0, 1, 2, 3].map((c) => (c === k ? value : 0)));
}

/** Q of a shape that is transformed: Q′ = A⁻ᵀ Q A⁻¹. */
export function transformed(quadric: Matrix, transforms: readonly Transform[]): Matrix {
  let q = quadric;
  for (const transform of transforms) {
    const inverse = inverseOf(transform);
    q = times(transposed(inverse), times(q, inverse));
  }
  return q;
}

function inverseOf(transform: Transform): Matrix {
  const m: number[][] = [0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((c) => (c === row ? 1 : 0)));
  if ('scale' in transform)
    transform.scale.forEach((s, k) => {
      m[k]![k] = 1 / s;
    });
  else if ('translate' in transform)
    transform.translate.forEach((t, k) => {
      m[k]![3] = -t;
    });
  else {
    const axis = 'xyz'.indexOf(transform.rotate);
    const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
    const [cos, sin] = [Math.cos(transform.angle), Math.sin(transform.angle)];
    m[i]![i] = cos;
    m[j]![j] = cos;
    m[i]![j] = sin;
    m[j]![i] = -sin;
  }
  return m;
}

const transposed = (m: Matrix): Matrix => m.map((_, k) => m.map((row) => row[k]!));
const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, c) => row.reduce((sum, x, k) => sum + x * b[k]![c]!, 0)));

/** The slots of the region `quadric`; zeros are left out. */
export function quadricSlots(q: Matrix): Slots {
  const all = {
    ...{ xx: q[0]![0]!, yy: q[1]![1]!, zz: q[2]![2]! },
    ...{ xy: 2 * q[0]![1]!, xz: 2 * q[0]![2]!, yz: 2 * q[1]![2]! },
    ...{ x: 2 * q[0]![3]!, y: 2 * q[1]![3]!, z: 2 * q[2]![3]!, constant: q[3]![3]! },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 0));
}
