import type { NearestImages } from '@corpuscle/core';
import { type FunctionBuilder, f64x2, i32, v128, type WasmNode } from '@corpuscle/functor/wasm';
import { type PairSlots, slotNames } from '../wasm/pairSlots.js';

/** Names of the slots that describe the images. */
export const imageSlots = {
  basis: (k: number): string => `images.basis${k}`,
  dual: (k: number): string => `images.dual${k}`,
  /** Beyond this square the rounded image need not be the nearest; Infinity where rounding is enough. */
  doubtful2: 'images.doubtful2',
  /** Vectors to try then, rows of three f64, and the end of them. */
  shifts: 'images.shifts',
  shiftsEnd: 'images.shiftsEnd',
} as const;

/** Code for the differences of two pairs, one a lane. */
export interface NearestDifference {
  /** Lanes that may be in reach: nothing that is gets lost. */
  near(center: readonly WasmNode[], neighbors: readonly WasmNode[]): WasmNode;
  nearest(
    center: readonly WasmNode[],
    neighbors: readonly WasmNode[],
  ): { readonly d: readonly WasmNode[]; readonly r2: WasmNode };
  /** Lanes that are in reach. */
  within(r2: WasmNode): WasmNode;
}

/**
 * Differences at nearest images in two steps: coefficients rounded in the reduced cell, which is all in an orthorhombic box
 * and for cutoffs that fit into the cell; where the outcome is doubtful, the shifts next to it are tried as well.
 */
export function nearestDifference(
  f: FunctionBuilder,
  slots: PairSlots,
  kind: NearestImages['kind'],
): NearestDifference {
  const { add, mul, sub, nearest, lt, gt } = f64x2;
  const wide = (name: string) => slots.once(f64x2.splat(slots.f64(name)));
  const keep = (value: WasmNode) => f.keep(value, 'v128');
  const cutoff2 = wide(slotNames.cutoff2);
  const used = kind === 'orthorhombic' ? [0, 4, 8] : [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [basis, dual] = [imageSlots.basis, imageSlots.dual].map((name) =>
    kind === 'open' ? [] : Object.fromEntries(used.map((k) => [k, wide(name(k))])),
  ) as [Record<number, WasmNode>, Record<number, WasmNode>];
  const skewed = kind === 'triclinic';
  const doubtful2 = skewed ? wide(imageSlots.doubtful2) : null;
  const sum = ([x, y, z]: readonly WasmNode[]) => add(add(x!, y!), z!);
  const squared = (d: readonly WasmNode[]) => keep(sum(d.map((v) => mul(v, v))));

  function rounded(center: readonly WasmNode[], neighbors: readonly WasmNode[]): WasmNode[] {
    const d = neighbors.map((v, axis) => keep(sub(center[axis]!, v)));
    if (kind === 'open') return d;
    if (kind === 'orthorhombic')
      return d.map((v, axis) =>
        keep(sub(v, mul(nearest(mul(v, dual[4 * axis]!)), basis[4 * axis]!))),
      );
    const counts = [0, 1, 2].map((k) =>
      keep(nearest(sum(d.map((v, axis) => mul(v, dual[3 * axis + k]!))))),
    );
    return d.map((v, axis) =>
      keep(sub(v, sum(counts.map((n, k) => mul(n, basis[3 * k + axis]!))))),
    );
  }

  function tryShifts(d: WasmNode[], r2: WasmNode): { d: WasmNode[]; r2: WasmNode } {
    const from = d.map((v) => keep(v));
    const best = d.map((v) => f.variable(v, 'v128'));
    const best2 = f.variable(r2, 'v128');
    f.if(v128.any_true(gt(r2, doubtful2!)), () => {
      const p = f.variable(slots.address(imageSlots.shifts), 'i32');
      f.while(i32.lt_u(f.get(p), slots.address(imageSlots.shiftsEnd)), () => {
        const shifted = from.map((v, axis) => keep(add(v, v128.load64_splat(f.get(p), 8 * axis))));
        const square = squared(shifted);
        const better = keep(lt(square, f.get(best2)));
        best.forEach((local, axis) => {
          f.set(local, v128.bitselect(shifted[axis]!, f.get(local), better));
        });
        f.set(best2, v128.bitselect(square, f.get(best2), better));
        f.increment(p, 24);
      });
    });
    return { d: best.map((local) => f.get(local)), r2: f.get(best2) };
  }

  return {
    near(center, neighbors) {
      const r2 = squared(rounded(center, neighbors));
      return skewed ? v128.or(lt(r2, cutoff2), gt(r2, doubtful2!)) : lt(r2, cutoff2);
    },
    nearest(center, neighbors) {
      const d = rounded(center, neighbors);
      const r2 = squared(d);
      return skewed ? tryShifts(d, r2) : { d, r2 };
    },
    within: (r2) => lt(r2, cutoff2),
  };
}
