import type { NearestImages } from '@corpuscle/core';
import type { Totals } from '../../../plan/calls.js';
import type { PairWork } from '../pairPattern.js';

type Scalars = Record<string, number>;

/** The two sets of particles that meet; see `AllPairsOptions`. */
interface RowSets {
  readonly central: ArrayLike<number>;
  readonly neighbors: ArrayLike<number>;
  readonly starts: ArrayLike<number> | null;
}

/**
 * Calls the user's function itself for every pair of two sets of rows, on the main thread: for functors that SIMD lanes
 * cannot serve, for lists of pairs, and for the lowerings scalar and javascript.
 */
export function directTiles(
  { grid, functor, params, outputs, rcut }: PairWork,
  { central, neighbors, starts }: RowSets,
  images: NearestImages,
): Totals {
  const { spec } = functor;
  if (spec.kind !== 'pair') throw new Error(`functor ${functor.name} is not a pair functor`);
  const wanted = Object.keys(spec.central).filter((field) => outputs[field] !== 'none');
  const stored = wanted.filter((field) => outputs[field] !== 'total').map(place);
  const read = Object.keys(spec.read).map(place);
  const others = Object.keys(spec.neighbor).map(place);
  const positions = grid.block('position').array as Float64Array;
  const totals: Totals = {};
  for (const field of wanted) if (outputs[field] !== 'particles') totals[field] = 0;
  const own = Object.keys(spec.central);
  const j: Scalars = {};
  const d = { x: 0, y: 0, z: 0, r2: 0 };
  const rcut2 = rcut * rcut;
  const isSkewed = images.kind === 'triclinic';
  const isOrthorhombic = images.kind === 'orthorhombic';
  const [bx, by, bz] = [images.basis[0]!, images.basis[4]!, images.basis[8]!];
  const [ux, uy, uz] = [images.dual[0]!, images.dual[4]!, images.dual[8]!];
  for (let k = 0; k < central.length; k++) {
    const row = central[k]!;
    const i: Scalars = {};
    for (const field of own) i[field] = 0;
    for (const at of [...stored, ...read]) i[at.field] = at.get(row);
    const before = { ...i };
    const end = starts ? Math.min(starts[k + 1]!, neighbors.length) : neighbors.length;
    for (let n = starts ? starts[k]! : 0; n < end; n++) {
      const other = neighbors[n]!;
      if (other === row) continue;
      let x = positions[4 * row]! - positions[4 * other]!;
      let y = positions[4 * row + 1]! - positions[4 * other + 1]!;
      let z = positions[4 * row + 2]! - positions[4 * other + 2]!;
      if (isOrthorhombic) {
        x -= Math.round(x * ux) * bx;
        y -= Math.round(y * uy) * by;
        z -= Math.round(z * uz) * bz;
        if (!(x * x + y * y + z * z < rcut2)) continue;
      }
      d.x = x;
      d.y = y;
      d.z = z;
      d.r2 = x * x + y * y + z * z;
      if (isSkewed) toNearest(images, d);
      if (!(d.r2 < rcut2)) continue;
      for (const at of others) j[at.field] = at.get(other);
      functor.invoke(i, j, d, params);
    }
    for (const at of stored) at.set(row, i[at.field]!);
    for (const field in totals) totals[field]! += i[field]! - before[field]!;
  }
  for (const at of stored) grid.block(at.block).hostWritten();
  return totals;

  function place(field: string) {
    const { block, component } = grid.field(field);
    const { array, spec: layout } = grid.block(block);
    const at = (row: number) => row * layout.width + component;
    return {
      field,
      block,
      get: (row: number) => Number(array[at(row)]),
      set(row: number, value: number) {
        if (!(array instanceof BigUint64Array)) array[at(row)] = value;
      },
    };
  }
}

/** Replaces a difference by its nearest image, and sets its square. */
function toNearest(
  { basis: b, dual: u, shifts, inner2 }: NearestImages,
  d: { x: number; y: number; z: number; r2: number },
): void {
  const { x, y, z } = d;
  const ka = Math.round(x * u[0]! + y * u[3]! + z * u[6]!);
  const kb = Math.round(x * u[1]! + y * u[4]! + z * u[7]!);
  const kc = Math.round(x * u[2]! + y * u[5]! + z * u[8]!);
  d.x -= ka * b[0]! + kb * b[3]! + kc * b[6]!;
  d.y -= ka * b[1]! + kb * b[4]! + kc * b[7]!;
  d.z -= ka * b[2]! + kb * b[5]! + kc * b[8]!;
  d.r2 = d.x * d.x + d.y * d.y + d.z * d.z;
  if (d.r2 <= inner2) return;
  const from = { ...d };
  for (let q = 0; q < shifts.length; q += 3) {
    const sx = from.x + shifts[q]!;
    const sy = from.y + shifts[q + 1]!;
    const sz = from.z + shifts[q + 2]!;
    const r2 = sx * sx + sy * sy + sz * sz;
    if (r2 < d.r2) Object.assign(d, { x: sx, y: sy, z: sz, r2 });
  }
}
