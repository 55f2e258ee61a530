import { address, f64, f64x2, i32, v128 } from '@corpuscle/functor/wasm';
import type { CpuServices } from '../CpuServices.js';
import { larger, smaller } from '../neighbors/kernels/integers.js';
import { kernelOf } from '../neighbors/kernels/kernelOf.js';
import { launch } from '../neighbors/launch.js';
import type { OutputBlock } from './outputBlocks.js';
import type { PairState } from './PairState.js';
import { reductionEntry } from './reduceKernels.js';

/** Sums of one part: four components, and the number of rows that are not all zeros; f64 each. */
const PARTIAL_BYTES = 64;

/** Adds up the rows begin … end−1 of `count` buffers of singles, for each part by itself. */
const about = 'Sums of the rows of a buffer, and how many of them are not zero, by part.';
const residualKernel = kernelOf('pair.residual', about, (f, slots) => {
  const buffers = slots.address('buffers');
  const partial = f.keep(
    i32.add(slots.address('partials'), i32.mul(f.param(3), i32.const(PARTIAL_BYTES))),
  );
  const [low, high] = [0, 16].map((offset) => f.variable(v128.load(partial, offset))) as [
    number,
    number,
  ];
  const rows = f.variable(i32.const(0));
  f.range(i32.const(0), slots.i32('count'), (b) => {
    const entry = f.keep(i32.add(buffers, i32.shl(b, i32.const(4))));
    const base = f.keep(address(i32.load(entry, reductionEntry.address)));
    const first = f.keep(i32.load(entry, reductionEntry.first));
    const last = f.keep(i32.load(entry, reductionEntry.end));
    const begin = f.keep(larger(f.param(1), first));
    f.range(begin, f.keep(smaller(f.param(2), last)), (row) => {
      const at = f.keep(i32.add(base, i32.shl(row, i32.const(4))));
      const xyzw = f.keep(v128.load(at));
      f.set(low, f64x2.add(f.get(low), f64x2.promote_low_f32x4(xyzw)));
      f.set(high, f64x2.add(f.get(high), f64x2.promote_low_f32x4(v128.load64_zero(at, 8))));
      f.increment(rows, v128.any_true(xyzw));
    });
  });
  f.emit(v128.store(partial, f.get(low)), v128.store(partial, f.get(high), 16));
  const known = f64.load(partial, 32);
  f.emit(f64.store(partial, f64.add(known, f64.convert_i32_s(f.get(rows))), 32));
});

/** Where the changes of a block are: four f64, and after them the sums of each part. */
export function balanceAddress(
  { parts }: CpuServices,
  state: PairState,
  { block }: OutputBlock,
): number {
  return state.buffer(`balance ${block}`).reserve(PARTIAL_BYTES * (parts + 1));
}

/**
 * Finds what to add to every row that is not all zeros so that odd outputs add up to nothing, as they do in exact
 * arithmetic: action is reaction. Single precision rounds each row's sum by itself and so leaves a residual, a random push
 * on the whole system in every step, and momentum would walk away by 10⁻⁸ √steps a particle.
 */
export function balance(
  services: CpuServices,
  state: PairState,
  output: OutputBlock,
  { buffers, rows }: { readonly buffers: number; readonly rows: number },
): void {
  const { heap, parts } = services;
  const sums = balanceAddress(services, state, output);
  const table = state.buffer(`reduction ${output.block}`);
  const partials = heap.f64(sums, (PARTIAL_BYTES / 8) * (parts + 1)).fill(0);
  const bounds = Array.from({ length: parts + 1 }, (_, t) => Math.floor((rows * t) / parts));
  launch(
    services,
    state.buffer('residual record'),
    residualKernel(),
    {
      buffers: table.address,
      count: buffers,
      partials: sums + PARTIAL_BYTES,
    },
    { end: rows, schedule: { kind: 'static', bounds, chunk: 8192 } },
  );
  const sum = (k: number) => {
    let total = 0;
    for (let t = 1; t <= parts; t++) total += partials[8 * t + k]!;
    return total;
  };
  const touched = sum(4);
  output.members.forEach((member, k) => {
    const share = member?.parity === 'odd' ? -sum(k) / touched : 0;
    partials[k] = Number.isFinite(share) ? share : 0; // calls that move particles report what is not finite
  });
}
