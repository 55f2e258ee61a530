import type { Grid, NeighborList } from '@corpuscle/core';
import type { PairCall, Totals } from '../../plan/calls.js';
import { imageTable } from '../neighbors/imageTable.js';

type Scalars = Record<string, number>;
type Buffer = Record<string, number | number[] | (() => void)>;

/**
 * Calls the user's function itself for every particle, on the main thread: for functors with `gpu: false` that are
 * arbitrary JavaScript, and as the oracle of the compiled ones. `piece` is called after each call.
 */
export function directNeighborhoods(list: NeighborList, call: PairCall, piece: () => void): Totals {
  const { grid, functor, params, outputs, rcut } = call;
  const { spec } = functor;
  if (spec.kind !== 'neighborhood') throw new Error(`${functor.name} has no neighborhoods`);
  const { central, scatter } = spec;
  const wanted = (schema: object) => Object.keys(schema).filter((name) => outputs[name] !== 'none');
  const isStored = (name: string) => outputs[name] !== 'total';
  const totals: Totals = {};
  for (const name of wanted({ ...central, ...scatter }))
    if (outputs[name] !== 'particles') totals[name] = 0;
  const neighbors = neighborsOf(list, call);
  const positions = grid.block('position').array as Float64Array;
  const shifts = imageTable(list, grid.domain);

  for (let row = 0; row < grid.count; row++) {
    const i: Scalars = {};
    for (const name of Object.keys(central)) i[name] = 0;
    for (const name of [...wanted(central).filter(isStored), ...Object.keys(spec.read)])
      i[name] = valueAt(grid, name).get(row);
    const before = { ...i };
    const b: Buffer = {
      count: 0,
      lane: 0,
      lanes: 1,
      barrier: () => {},
      dx: [],
      dy: [],
      dz: [],
      r2: [],
    };
    const at = (name: string) => b[name] as number[];
    for (const name of [...Object.keys(spec.neighbor), ...Object.keys(scatter)]) b[name] = [];
    for (const name of Object.keys(spec.work)) b[name] = [];
    const rows: number[] = [];
    for (const { j, image } of neighbors[row]!) {
      const d = shifts[image]!.map((s, k) => positions[4 * row + k]! + s - positions[4 * j + k]!);
      const [x, y, z] = d as [number, number, number];
      const r2 = x * x + y * y + z * z;
      if (!(r2 < rcut * rcut)) continue;
      rows.push(j);
      at('dx').push(x);
      at('dy').push(y);
      at('dz').push(z);
      at('r2').push(r2);
      for (const name of Object.keys(spec.neighbor)) at(name).push(valueAt(grid, name).get(j));
      for (const name of Object.keys(scatter)) at(name).push(0);
    }
    b.count = rows.length;
    functor.invoke(i, b, params);
    piece();
    for (const name of wanted(central)) {
      if (isStored(name)) valueAt(grid, name).set(row, i[name]!);
      if (name in totals) totals[name]! += i[name]! - before[name]!;
    }
    for (const name of wanted(scatter)) {
      rows.forEach((j, k) => {
        const field = isStored(name) ? valueAt(grid, name) : null;
        field?.set(j, field.get(j) + at(name)[k]!);
        if (name in totals) totals[name]! += at(name)[k]!;
      });
    }
  }
  for (const name of wanted({ ...central, ...scatter }))
    if (isStored(name)) grid.block(grid.field(name).block).hostWritten();
  return totals;
}

function neighborsOf(list: NeighborList, { grid }: PairCall): { j: number; image: number }[][] {
  const found = Array.from({ length: grid.count }, (): { j: number; image: number }[] => []);
  list.forEachPair((i, j, image) => found[i]!.push({ j, image }));
  return found;
}

function valueAt(grid: Grid, name: string) {
  const { block, component } = grid.field(name);
  const { array, spec } = grid.block(block);
  const at = (row: number) => row * spec.width + component;
  return {
    get: (row: number) => Number(array[at(row)]),
    set(row: number, value: number) {
      if (!(array instanceof BigUint64Array)) array[at(row)] = value;
    },
  };
}
