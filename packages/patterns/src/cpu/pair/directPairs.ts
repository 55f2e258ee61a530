import type { NeighborList } from '@corpuscle/core';
import type { Totals } from '../../plan/calls.js';
import { imageTable } from '../neighbors/imageTable.js';
import type { PairWork } from './pairPattern.js';

type Scalars = Record<string, number>;

/**
 * Calls the user's function itself for every pair of a full list, on the main thread: for functors with `gpu: false`
 * that are arbitrary JavaScript. Outputs of a particle are read before its first neighbor and written after its last. `piece` is called after each call.
 */
export function directPairs(
  list: NeighborList,
  { grid, functor, params, outputs, rcut }: PairWork,
  piece: () => void,
): Totals {
  const { spec } = functor;
  if (spec.kind !== 'pair') throw new Error(`functor ${functor.name} is not a pair functor`);
  const wanted = Object.keys(spec.central).filter((field) => outputs[field] !== 'none');
  const stored = wanted
    .filter((field) => outputs[field] !== 'total')
    .map((field) => place(grid, field));
  const central = Object.keys(spec.read).map((field) => place(grid, field));
  const neighbor = Object.keys(spec.neighbor).map((field) => place(grid, field));
  const positions = grid.block('position').array as Float64Array;
  const totals: Totals = {};
  for (const field of wanted) if (outputs[field] !== 'particles') totals[field] = 0;

  const i: Scalars = {};
  const j: Scalars = {};
  const d = { x: 0, y: 0, z: 0, r2: 0 };
  let row = -1;
  let before: Scalars = {};
  const flush = () => {
    if (row < 0) return;
    for (const at of stored) at.set(row, i[at.field]!);
    for (const field in totals) totals[field]! += i[field]! - before[field]!;
  };
  const shifts = imageTable(list, grid.domain);
  list.forEachPair((a, b, image) => {
    const shift = shifts[image]!;
    d.x = positions[4 * a]! + shift[0] - positions[4 * b]!;
    d.y = positions[4 * a + 1]! + shift[1] - positions[4 * b + 1]!;
    d.z = positions[4 * a + 2]! + shift[2] - positions[4 * b + 2]!;
    d.r2 = d.x * d.x + d.y * d.y + d.z * d.z;
    if (!(d.r2 < rcut * rcut)) return;
    if (a !== row) {
      flush();
      row = a;
      for (const field of Object.keys(spec.central)) i[field] = 0;
      for (const at of [...stored, ...central]) i[at.field] = at.get(a);
      before = { ...i };
    }
    for (const at of neighbor) j[at.field] = at.get(b);
    functor.invoke(i, j, d, params);
    piece();
  });
  flush();
  for (const at of stored) grid.block(at.block).hostWritten();
  return totals;
}

function place(grid: PairWork['grid'], field: string) {
  const { block, component } = grid.field(field);
  const { array, spec } = grid.block(block);
  const at = (row: number) => row * spec.width + component;
  return {
    field,
    block,
    get: (row: number) => Number(array[at(row)]),
    set(row: number, value: number) {
      if (!(array instanceof BigUint64Array)) array[at(row)] = value;
    },
  };
}
