import {
  type BodyEnv,
  i32,
  i64x2,
  type LaneValue,
  lowerBody,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { neighborValue } from '../wasm/attributes.js';
import { doubles as lanes } from '../wasm/Lanes.js';
import { scatterToNeighbors } from '../wasm/scatter.js';
import { at } from '../wasm/walkEntry.js';
import type { TileSetting } from './TileSetting.js';

/** The central particle of a row of tiles: its number, its row, its position in every lane, its fields. */
export interface TileCenter {
  readonly k: WasmNode;
  readonly i: WasmNode;
  readonly position: readonly WasmNode[];
  readonly central: ReadonlyMap<string, LaneValue>;
}

/** Two pairs: the functor under the mask of those in reach, then its contributions to both sides. */
export function tilePair(
  setting: TileSetting,
  center: TileCenter,
  p: number,
  neighbors: readonly WasmNode[],
): void {
  const { f, plan, difference, contributions, sums, blocks, bases, rowShift } = setting;
  const half = plan.list === 'half';
  const { d, r2 } = difference.nearest(center.position, neighbors);
  const index = i32.shr_u(f.get(p), i32.const(3));
  const rowPair = f.keep(
    i64x2.extend_low_i32x4_s(v128.load64_zero(at(setting.rows, index, 2))),
    'v128',
  );
  const numbers = i64x2.add(
    i64x2.splat(['i64.extend_i32_s', index]),
    f.constant(i64x2.const(0n, 1n)),
  );
  const other = half
    ? i64x2.gt_s(numbers, i64x2.splat(['i64.extend_i32_s', center.k]))
    : i64x2.ne(rowPair, i64x2.splat(['i64.extend_i32_s', center.i]));
  const mask = f.keep(v128.and(difference.within(r2), other), 'v128');
  f.if(v128.any_true(mask), () => {
    const rows = [0, 1].map((lane) => f.keep(['i32.wrap_i64', i64x2.extract(lane, rowPair)]));
    const env = pairEnvironment(setting, center, { x: d[0]!, y: d[1]!, z: d[2]!, r2 }, rows);
    contributions.begin();
    lowerBody(setting.ir, {
      builder: f,
      lanes: 2,
      real: 'f64',
      env,
      mask,
      variables: setting.variables,
      relaxed: plan.relaxed,
    });
    contributions.finish(d, null, false);
    for (const [field, local] of sums)
      f.set(local, lanes.v.add(f.get(local), contributions.get(field)));
    if (!half) return;
    blocks.forEach((block, n) => {
      const targets = rows.map((row) => f.keep(at(bases[n]!, row, rowShift(n))));
      scatterToNeighbors(f, lanes, block, ({ field }) => contributions.get(field), targets);
    });
  });
}

/** How the functor reads and writes, two pairs at a time. */
function pairEnvironment(
  { f, plan, neighborBases, parameters, contributions }: TileSetting,
  { central }: TileCenter,
  displacement: Readonly<Record<'x' | 'y' | 'z' | 'r2', WasmNode>>,
  rows: readonly WasmNode[],
): BodyEnv {
  const neighbor = new Map(
    plan.neighbor.map((place, n) => [
      place.field,
      neighborValue(f, lanes, place, neighborBases[n]!, rows),
    ]),
  );
  return {
    uniform: (role) => role === 'p' || role === 'i',
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      if (role === 'i') return central.get(field)!;
      if (role === 'j') return neighbor.get(field)!;
      const node = displacement[field as keyof typeof displacement];
      return { uniform: false, type: 'real', node };
    },
    item: (_role, field, index) => parameters.item(field, index),
    write: (_role, field, op, value, mask) => contributions.add(field, op, value, mask),
    writeItem() {
      throw new Error('pair functors have no arrays');
    },
  };
}
