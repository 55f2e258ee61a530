import { f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import { totalOutputs } from '../outputBlocks.js';
import type { VectorSetting } from './VectorSetting.js';
import { at } from './walkEntry.js';

/** The image that is the particle itself; see `Domain.image`. */
const NO_SHIFT = 13;
const axes = { x: 0, y: 8, z: 16 } as const;

/** The share of an entry in the moments of images: the shift of its image, where it has one, times what its particle receives. */
export function addMoments(setting: VectorSetting, image: WasmNode): void {
  const { f, plan, measure, shifts, sums, grandTotals } = setting;
  const { lanes } = measure;
  const first = totalOutputs(plan).length;
  f.comment('moments: what particles receive from images, times their shifts');
  f.if(i32.ne(image, i32.const(NO_SHIFT)), () => {
    const shift = f.keep(at(shifts, image, lanes.rowShift));
    const received = new Map<string, WasmNode>();
    plan.moments.forEach(({ of, along }, k) => {
      const force = received.get(of) ?? f.keep(lanes.sum(f, f.get(sums.get(of)!)));
      received.set(of, force);
      const total = grandTotals[first + k]!;
      f.set(total, f64.add(f.get(total), f64.mul(force, f64.load(shift, axes[along]))));
    });
  });
}
