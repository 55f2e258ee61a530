import {
  type FunctionBuilder,
  f32,
  f64,
  f64x2,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { OutputBlock } from '../outputBlocks.js';
import type { PairOutput } from '../PairPlan.js';
import type { Lanes } from './Lanes.js';

/** Contribution of a pair to an output, one lane a pair; null for outputs that are not written. */
export type Contribution = (output: PairOutput) => WasmNode;

/**
 * Adds the contributions of a vector of pairs to their neighbors, in the storage of the kernel's own width: the even
 * ones are added, the odd ones subtracted. Lanes are served one after the other, so a row may occur twice.
 *
 *   lanes  [gx gx'] [gy gy'] [gz gz']   ──►   row j  −= [gx gy | gz ·]     row j'  −= [gx' gy' | gz' ·]
 */
export function scatterToNeighbors(
  f: FunctionBuilder,
  lanes: Lanes,
  block: OutputBlock,
  contribution: Contribution,
  rows: readonly WasmNode[],
): void {
  if (block.width === 1) {
    const output = block.members[0]!;
    rows.forEach((row, lane) => {
      addScalar(f, lanes, row, 0, output, lanes.v.extract(lane, contribution(output)));
    });
  } else if (lanes.count === 2) scatterDoubles(f, lanes, block, contribution, rows);
  else scatterSingles(f, lanes, block, contribution, rows);
}

function scatterDoubles(
  f: FunctionBuilder,
  lanes: Lanes,
  { members }: OutputBlock,
  contribution: Contribution,
  rows: readonly WasmNode[],
): void {
  for (const first of [0, 2]) {
    const [a, b] = [members[first], members[first + 1]];
    if (a && b) {
      const [va, vb, subtract] = aligned(lanes, a, b, contribution);
      rows.forEach((row, lane) => {
        const change = lanes.shuffle([lane, lane + 2], va, vb);
        const old = v128.load(row, 8 * first);
        const next = subtract ? f64x2.sub(old, change) : f64x2.add(old, change);
        f.emit(v128.store(row, next, 8 * first));
      });
    } else if (a || b) {
      const output = (a ?? b)!;
      rows.forEach((row, lane) => {
        const offset = 8 * (first + (a ? 0 : 1));
        addScalar(f, lanes, row, offset, output, f64x2.extract(lane, contribution(output)));
      });
    }
  }
}

function scatterSingles(
  f: FunctionBuilder,
  lanes: Lanes,
  { members }: OutputBlock,
  contribution: Contribution,
  rows: readonly WasmNode[],
): void {
  const signed = members.map((output) => {
    if (!output) return lanes.zero;
    const value = contribution(output);
    return output.parity === 'odd' ? value : f.keep(lanes.v.neg(value), 'v128');
  });
  transposed(f, lanes, signed).forEach((change, lane) => {
    const row = rows[lane]!;
    f.emit(v128.store(row, lanes.v.sub(v128.load(row), change)));
  });
}

/** Four vectors, one a component, to four rows, one a lane. */
function transposed(
  f: FunctionBuilder,
  lanes: Lanes,
  [x, y, z, w]: readonly WasmNode[],
): WasmNode[] {
  const pair = (pattern: readonly number[], a: WasmNode, b: WasmNode) =>
    f.keep(lanes.shuffle(pattern, a, b), 'v128');
  const xy0 = pair([0, 4, 1, 5], x!, y!);
  const xy1 = pair([2, 6, 3, 7], x!, y!);
  const zw0 = pair([0, 4, 1, 5], z!, w!);
  const zw1 = pair([2, 6, 3, 7], z!, w!);
  return [
    lanes.shuffle([0, 1, 4, 5], xy0, zw0),
    lanes.shuffle([2, 3, 6, 7], xy0, zw0),
    lanes.shuffle([0, 1, 4, 5], xy1, zw1),
    lanes.shuffle([2, 3, 6, 7], xy1, zw1),
  ];
}

/** Two outputs whose changes share one addition or subtraction; of unequal parities, the even one is turned round. */
function aligned(
  lanes: Lanes,
  a: PairOutput,
  b: PairOutput,
  contribution: Contribution,
): [WasmNode, WasmNode, boolean] {
  const [va, vb] = [contribution(a), contribution(b)];
  if (a.parity === b.parity) return [va, vb, a.parity === 'odd'];
  return a.parity === 'odd' ? [va, lanes.v.neg(vb), true] : [lanes.v.neg(va), vb, true];
}

function addScalar(
  f: FunctionBuilder,
  lanes: Lanes,
  row: WasmNode,
  offset: number,
  output: PairOutput,
  change: WasmNode,
): void {
  const ops = lanes.count === 2 ? f64 : f32;
  const old = ops.load(row, offset);
  const next = output.parity === 'odd' ? ops.sub(old, change) : ops.add(old, change);
  f.emit(ops.store(row, next, offset));
}

/**
 * Adds sums over lanes to the central particle's row. `stored` is the width of what is written: f64 for a grid's own
 * block, the kernel's width for a buffer.
 */
export function addToCentral(
  f: FunctionBuilder,
  lanes: Lanes,
  block: OutputBlock,
  accumulated: Contribution,
  row: WasmNode,
  stored: 'f64' | 'f32',
): void {
  if (stored === 'f32' && block.width === 4) {
    const parts = transposed(
      f,
      lanes,
      block.members.map((o) => (o ? accumulated(o) : lanes.zero)),
    );
    const { add } = lanes.v;
    const sum = add(add(parts[0]!, parts[1]!), add(parts[2]!, parts[3]!));
    f.emit(v128.store(row, add(v128.load(row), sum)));
    return;
  }
  block.members.forEach((output, component) => {
    if (!output) return;
    const sum = lanes.sum(f, accumulated(output));
    if (stored === 'f64') {
      f.emit(f64.store(row, f64.add(f64.load(row, 8 * component), sum), 8 * component));
    } else {
      const old = f32.load(row, 4 * component);
      f.emit(f32.store(row, f32.add(old, f32.demote_f64(sum)), 4 * component));
    }
  });
}
