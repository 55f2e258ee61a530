import type { KernelBuffer, KernelParams, ParamType } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';

const EDGES = ['A', 'B', 'C'] as const;
const SIDES = ['old', 'new'] as const;

/**
 * What sorting needs besides to move positions between cells in double-single: edges of cells in three parts. The first
 * has 12 bits, so that its multiples are exact; the second is a float; `rest` is what these leave of a double.
 */
export const binDoubles = {
  buffers: [
    { name: 'low', type: 'array<vec4f>', access: 'read_write' },
  ] as const satisfies readonly KernelBuffer[],
  params: {
    ...Object.fromEntries(
      SIDES.flatMap((side) => EDGES.map((edge) => [`${side}Rest${edge}`, 'vec4f'] as const)),
    ),
    shiftLow: 'vec4f',
  } as Readonly<Record<string, ParamType>>,
  declarations: `
fn along(c: f32, high: f32, mid: f32, rest: f32, n: f32, newHigh: f32, newMid: f32, newRest: f32) -> vec2f {
  let h = ds_sum(c * high, -(n * newHigh));
  let m = ds_sub(ds_product(c, mid), ds_product(n, newMid));
  return ds_add_f32(ds_add(h, m), c * rest - n * newRest);
}`,
  /** Statements: position `x` of row `index` goes from cell center a to cell center b; the low parts are stored. */
  move: `
  let before = low[index];
  ${['x', 'y', 'z'].map(moveAlong).join('\n  ')}
  x = vec3f(moved_x.x, moved_y.x, moved_z.x);
  low[index] = vec4f(moved_x.y, moved_y.y, moved_z.y, 0.0);`,
} as const;

function moveAlong(k: string): string {
  const terms = EDGES.map((edge, axis) => {
    const c = 'xyz'[axis];
    const old = `P.oldHigh${edge}.${k}, P.oldLow${edge}.${k}, P.oldRest${edge}.${k}`;
    return `along(a.${c}, ${old}, b.${c}, P.high${edge}.${k}, P.low${edge}.${k}, P.newRest${edge}.${k})`;
  });
  const cells = `ds_add(ds_add(${terms[0]}, ${terms[1]}), ${terms[2]})`;
  const shift = `vec2f(P.shift.${k}, P.shiftLow.${k})`;
  return `let moved_${k} = ds_add(vec2f(x.${k}, before.${k}), ds_add(${cells}, ${shift}));`;
}

/**
 * @param split the first part of an edge and what it leaves.
 * @param shift from the corner of the first old cell to that of the new one.
 */
export function binDoubleValues(
  from: PositionFrame,
  to: PositionFrame,
  split: (value: number) => [number, number],
  shift: readonly number[],
): KernelParams {
  const beyond = (value: number): number => value - Math.fround(value);
  const rest = (frame: PositionFrame, row: number): number[] => [
    ...[0, 1, 2].map((k) => beyond(split(frame.edges[3 * row + k]!)[1])),
    0,
  ];
  const values: Record<string, readonly number[]> = { shiftLow: shift.map(beyond) };
  EDGES.forEach((edge, row) => {
    values[`oldRest${edge}`] = rest(from, row);
    values[`newRest${edge}`] = rest(to, row);
  });
  return values;
}
