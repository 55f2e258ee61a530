import type { NearestImages } from '@corpuscle/core';
import { f64, i32, v128, type WasmNode } from '@corpuscle/functor/wasm';
import type { Kernel } from '../../Kernel.js';
import { wasmCode } from '../../wasmCode.js';
import { totalOutputs } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import { addTotals } from '../wasm/addTotals.js';
import { centralValue } from '../wasm/attributes.js';
import { doubles as lanes } from '../wasm/Lanes.js';
import { addToCentral } from '../wasm/scatter.js';
import { at } from '../wasm/walkEntry.js';
import { type TileSetting, tileSetting } from './TileSetting.js';
import { type TileCenter, tilePair } from './tilePair.js';

/**
 * A pair kernel without lists: central particles begin … end−1 meet all packed neighbors, or in half mode (one set, each
 * pair once) those after them.
 *
 *   neighbors   x x x x │ x x x x │ …     y y y y │ …     z …        runs of four, loaded whole
 *   a run        differences, nearest image, r2 < rcut²?  ──no──►  next run
 *                                                          └─yes─►  the near halves again, the functor under the mask
 *
 * Beyond the cutoff a pair costs the distance alone. Arithmetic is f64 whatever the precision.
 */
export function tileKernel(plan: PairPlan, images: NearestImages['kind'], key: string): Kernel {
  const setting = tileSetting(plan, images);
  const { f, args } = setting;
  f.range(f.param(1), f.param(2), (k) => {
    const center = loadCenter(setting, k);
    for (const local of setting.sums.values()) f.set(local, lanes.zero);
    visitNeighbors(setting, center);
    storeSums(setting, center.i);
  });
  addTotals(f, setting.grandTotals, setting.fromThread);
  return { key, label: plan.name, code: wasmCode(f, aboutTiles(plan)), args };
}

/** What the kernel does, stage by stage. */
const aboutTiles = (plan: PairPlan): string => `${plan.name}

Pair functor '${plan.name}' without lists: central particles begin … end − 1 meet all packed neighbors.
  near      four neighbors: is one of them within the cutoff, at its nearest image?
  call      the functor, two pairs at a time, under the mask of those that are
  store     sums go to the row of the particle`;

/** The central particle with number `k`. */
function loadCenter({ f, plan, ...from }: TileSetting, k: WasmNode): TileCenter {
  const i = f.keep(i32.load(at(from.centralRows, k, 2)));
  const own = f.keep(at(from.positions, i, 5));
  const position = [0, 8, 16].map((offset) => f.keep(v128.load64_splat(own, offset), 'v128'));
  const central = new Map(
    plan.central.map((place, n) => [
      place.field,
      centralValue(f, lanes, place, from.centralBases[n]!, i),
    ]),
  );
  return { k, i, position, central };
}

/** Runs of four neighbors: the functor is reached only where one of them is near. */
function visitNeighbors(setting: TileSetting, center: TileCenter): void {
  const { f, plan, arrays, bytes, difference } = setting;
  // In half mode neighbors begin with the run that the particle itself is in: it saves time only, for `tilePair` leaves out
  // whatever comes before the particle.
  const first =
    plan.list === 'half' ? i32.shl(i32.and(center.k, i32.const(-4)), i32.const(3)) : i32.const(0);
  const p = f.variable(first, 'i32');
  const load = (offset: number) =>
    arrays.map((array) => v128.load(i32.add(array, f.get(p)), offset));
  f.while(i32.lt_u(f.get(p), bytes), () => {
    const [a, b] = [0, 16].map((offset) =>
      f.keep(difference.near(center.position, load(offset)), 'v128'),
    ) as [WasmNode, WasmNode];
    const next = f.keep(i32.add(f.get(p), i32.const(32)));
    f.if(v128.any_true(v128.or(a, b)), () => {
      // One half is left out where nothing in it is near.
      const skipped = (half: WasmNode) => i32.shl(['i32.eqz', v128.any_true(half)], i32.const(4));
      const stop = f.keep(i32.sub(next, skipped(b)));
      f.increment(p, skipped(a));
      f.loop((again) => {
        tilePair(setting, center, p, load(0));
        f.increment(p, 16);
        f.brIf(again, i32.lt_u(f.get(p), stop));
      });
    });
    f.set(p, next);
  });
}

/** Adds the sums of a particle to its row and to the totals. */
function storeSums({ f, plan, sums, ...to }: TileSetting, i: WasmNode): void {
  to.blocks.forEach((block, n) => {
    const row = f.keep(at(to.bases[n]!, i, to.rowShift(n)));
    addToCentral(f, lanes, block, ({ field }) => f.get(sums.get(field)!), row, 'f64');
  });
  totalOutputs(plan).forEach(({ field }, n) => {
    const total = to.grandTotals[n]!;
    f.set(total, f64.add(f.get(total), lanes.sum(f, f.get(sums.get(field)!))));
  });
}
