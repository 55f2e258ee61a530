import type { NearestImages } from '@corpuscle/core';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  assembleModule,
  type BodyEnv,
  FunctionBuilder,
  f64,
  i32,
  i64x2,
  type LaneValue,
  lowerBody,
  lowerPrologue,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type Kernel } from '../../Kernel.js';
import { outputBlocks, threadRecord, totalOutputs } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import { centralValue, neighbourValue } from '../wasm/attributes.js';
import { Contributions } from '../wasm/Contributions.js';
import { doubles } from '../wasm/Lanes.js';
import { PairSlots, pairParameters, parameterEnvironment, slotNames } from '../wasm/pairSlots.js';
import { addToCentral, scatterToNeighbours } from '../wasm/scatter.js';
import { nearestDifference } from './nearestDifference.js';

/** Names of the slots of the argument record, besides those of pair kernels. */
export const tileSlots = {
  /** Rows of the central particles, i32. */
  central: 'all.central',
  /** Neighbours packed: rows (i32), and x, y, z, each an array padded with NaN to whole runs of four. */
  rows: 'all.rows',
  x: 'all.x',
  y: 'all.y',
  z: 'all.z',
  /** Bytes of one of the arrays of coordinates. */
  bytes: 'all.bytes',
} as const;

/**
 * A pair kernel without lists: central particles begin … end−1 meet all packed neighbours, or in half mode (one set, each
 * pair once) those behind them.
 *
 *   neighbours   x x x x │ x x x x │ …     y y y y │ …     z …        runs of four, loaded whole
 *   a run        differences, nearest image, r2 < rcut²?  ──no──►  next run
 *                                                          └─yes─►  the near halves again, the functor under the mask
 *
 * Beyond the cutoff a pair costs the distance alone. Arithmetic is f64 whatever the precision.
 */
export function tileKernel(plan: PairPlan, images: NearestImages['kind'], key: string): Kernel {
  const lanes = doubles;
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const half = plan.list === 'half';
  const blocks = outputBlocks(plan);
  const totals = totalOutputs(plan);
  const at = (address: WasmNode, k: WasmNode, shift: number) =>
    i32.add(address, i32.shl(k, i32.const(shift)));

  const positions = slots.i32(slotNames.positions);
  const centralRows = slots.i32(tileSlots.central);
  const rowsOf = slots.i32(tileSlots.rows);
  const arrays = [tileSlots.x, tileSlots.y, tileSlots.z].map((name) => slots.i32(name));
  const bytes = slots.i32(tileSlots.bytes);
  const recordBytes = i32.const(threadRecord.bytes(blocks.length));
  const thread = slots.once(
    i32.add(slots.i32(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(i32.load(thread, offset));
  const bases = blocks.map((_, k) => fromThread(threadRecord.outputs + 4 * k));
  const centralBases = plan.central.map(({ field }) => slots.i32(slotNames.central(field)));
  const neighbourBases = plan.neighbour.map(({ field }) => slots.i32(slotNames.neighbour(field)));
  const parameters = pairParameters(f, slots, plan, { lanes: 2, real: 'f64' });
  const hoisted = hoistUniform(plan.ir);
  const contributions = new Contributions(f, lanes, plan.outputs);
  const sums = new Map(plan.outputs.map(({ field }) => [field, f.local('v128')]));
  const grandTotals = totals.map(() => f.local('f64'));
  const rowShift = (k: number) => 3 + (blocks[k]!.width === 4 ? 2 : 0);
  const difference = nearestDifference(f, slots, images);
  const variables = lowerPrologue(hoisted.prologue, {
    builder: f,
    lanes: 2,
    real: 'f64',
    env: parameterEnvironment(parameters),
  });

  f.range(f.param(1), f.param(2), (k) => {
    const i = f.keep(i32.load(at(centralRows, k, 2)));
    const own = f.keep(at(positions, i, 5));
    const centre = [0, 8, 16].map((offset) => f.keep(v128.load64_splat(own, offset), 'v128'));
    const central = new Map(
      plan.central.map((place, n) => [
        place.field,
        centralValue(f, lanes, place, centralBases[n]!, i),
      ]),
    );
    for (const local of sums.values()) f.set(local, lanes.zero);
    // In half mode neighbours begin with the run that the particle itself is in.
    const first = half ? i32.shl(i32.and(k, i32.const(-4)), i32.const(3)) : i32.const(0);
    const p = f.variable(first, 'i32');
    const load = (offset: number) =>
      arrays.map((array) => v128.load(i32.add(array, f.get(p)), offset));
    f.while(i32.lt_u(f.get(p), bytes), () => {
      const [a, b] = [0, 16].map((offset) =>
        f.keep(difference.near(centre, load(offset)), 'v128'),
      ) as [WasmNode, WasmNode];
      const next = f.keep(i32.add(f.get(p), i32.const(32)));
      f.if(v128.any_true(v128.or(a, b)), () => {
        // One half is left out where nothing in it is near.
        const skipped = (half: WasmNode) => i32.shl(['i32.eqz', v128.any_true(half)], i32.const(4));
        const stop = f.keep(i32.sub(next, skipped(b)));
        f.increment(p, skipped(a));
        f.loop((again) => {
          emitPairs(k, i, p, centre, load(0), central);
          f.increment(p, 16);
          f.brIf(again, i32.lt_u(f.get(p), stop));
        });
      });
      f.set(p, next);
    });
    blocks.forEach((block, n) => {
      const row = f.keep(at(bases[n]!, i, rowShift(n)));
      addToCentral(f, lanes, block, ({ field }) => f.get(sums.get(field)!), row, 'f64');
    });
    totals.forEach(({ field }, n) => {
      const total = grandTotals[n]!;
      f.set(total, f64.add(f.get(total), lanes.sum(f, f.get(sums.get(field)!))));
    });
  });
  const address = totals.length > 0 ? fromThread(threadRecord.totals) : i32.const(0);
  grandTotals.forEach((total, n) => {
    f.emit(f64.store(address, f64.add(f64.load(address, 8 * n), f.get(total)), 8 * n));
  });
  const code = assembleModule({ functions: [f], exports: ['run'] });
  return { key, label: plan.name, code: { kind: 'wasm', bytes: code }, args };

  // Two pairs: the functor under the mask of those in reach, then its contributions to both sides.
  function emitPairs(
    k: WasmNode,
    i: WasmNode,
    p: number,
    centre: readonly WasmNode[],
    neighbours: readonly WasmNode[],
    central: ReadonlyMap<string, LaneValue>,
  ): void {
    const { d, r2 } = difference.nearest(centre, neighbours);
    const index = i32.shr_u(f.get(p), i32.const(3));
    const rowPair = f.keep(
      i64x2.extend_low_i32x4_s(v128.load64_zero(at(rowsOf, index, 2))),
      'v128',
    );
    const numbers = i64x2.add(
      i64x2.splat(['i64.extend_i32_s', index]),
      f.constant(i64x2.const(0n, 1n)),
    );
    const other = half
      ? i64x2.gt_s(numbers, i64x2.splat(['i64.extend_i32_s', k]))
      : i64x2.ne(rowPair, i64x2.splat(['i64.extend_i32_s', i]));
    const mask = f.keep(v128.and(difference.within(r2), other), 'v128');
    f.if(v128.any_true(mask), () => {
      const rows = [0, 1].map((lane) => f.keep(['i32.wrap_i64', i64x2.extract(lane, rowPair)]));
      const neighbour = new Map(
        plan.neighbour.map((place, n) => [
          place.field,
          neighbourValue(f, lanes, place, neighbourBases[n]!, rows),
        ]),
      );
      const displacement = { x: d[0]!, y: d[1]!, z: d[2]!, r2 };
      const env: BodyEnv = {
        uniform: (role) => role === 'p' || role === 'i',
        field(role, field) {
          if (role === 'p') return parameters.scalar(field);
          if (role === 'i') return central.get(field)!;
          if (role === 'j') return neighbour.get(field)!;
          const node = displacement[field as keyof typeof displacement];
          return { uniform: false, type: 'real', node };
        },
        item: (_role, field, at) => parameters.item(field, at),
        write: (_role, field, op, value, m) => contributions.add(field, op, value, m),
        writeItem() {
          throw new Error('pair functors have no arrays');
        },
      };
      contributions.begin();
      lowerBody(hoisted.ir, {
        builder: f,
        lanes: 2,
        real: 'f64',
        env,
        mask,
        variables,
        relaxed: plan.relaxed,
      });
      contributions.finish(d, null, false);
      for (const [field, local] of sums)
        f.set(local, lanes.v.add(f.get(local), contributions.get(field)));
      if (!half) return;
      blocks.forEach((block, n) => {
        const targets = rows.map((row) => f.keep(at(bases[n]!, row, rowShift(n))));
        scatterToNeighbours(f, lanes, block, ({ field }) => contributions.get(field), targets);
      });
    });
  }
}
