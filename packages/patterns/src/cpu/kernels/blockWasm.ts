import type { FieldSchema, ParamSchema } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  FunctionBuilder,
  f64,
  i32,
  i64x2,
  lowerBody,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type KernelCode } from '../Kernel.js';
import { wasmCode } from '../wasmCode.js';
import { argumentNames } from './argumentNames.js';
import type { BlockLayout } from './BlockLayout.js';
import type { BoundArray } from './BoundArray.js';
import { type BlockSetting, blockEnvironment } from './blockEnvironment.js';
import { loadSlot, wasmParameters } from './wasmParameters.js';

/**
 * The wasm kernel of a block functor, for indices begin … end−1 of the space. SIMD lanes have two lanes of a block that walk
 * the second-level loop side by side, or two indices of the space; without them a block has one lane. Reads outside an array are clamped
 * to its last element; writes outside are refused and noted, so that nothing outside an array can change. Memory that a
 * block shares lies in the thread's scratch and is cleared for each index. Results go to records, one for every
 * `perRecord` indices, which the caller has initialized.
 */
export function blockWasm(
  ir: FunctorIR,
  arrays: readonly BoundArray[],
  types: FieldSchema,
  params: ParamSchema,
  sideBySide: SideBySide,
  layout: BlockLayout,
): { code: KernelCode; args: ArgumentLayout } {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const lanes = sideBySide === 'nothing' ? 1 : 2;
  const parameters = wasmParameters(f, args, params, lanes);
  const slot = slotsOf(f, args);
  const index = f.local('i32');
  const scratch = f.local('i32');
  const record = f.local('i32');
  const locals = { index, scratch, record };
  const env = blockEnvironment({
    ...{ f, ir, arrays, types, lanes, sideBySide, layout, parameters, slot, locals },
  });

  const hoisted = hoistUniform(ir);
  const options = { builder: f, lanes, real: 'f64', env } as const;
  const variables = lowerPrologue(hoisted.prologue, options);
  if (layout.sharedBytes > 0) {
    const own = i32.mul(f.param(3), i32.const(layout.sharedBytes));
    f.set(scratch, i32.add(slot(argumentNames.scratch, 'address'), own));
  }
  const call = (mask: WasmNode | null) => {
    clear(f, f.get(scratch), layout.sharedBytes);
    if (layout.recordBytes > 0) {
      const number = i32.div_u(f.get(index), slot(argumentNames.perRecord));
      const own = i32.mul(number, i32.const(layout.recordBytes));
      f.set(record, i32.add(slot(argumentNames.partials, 'address'), own));
    }
    lowerBody(hoisted.ir, { ...options, mask, variables });
  };
  f.set(index, f.param(1));
  const taken = sideBySide === 'indices' ? 2 : 1;
  const last = taken === 2 ? f.named('last', i32.sub(f.param(2), i32.const(1))) : f.param(2);
  f.while(i32.lt_s(f.get(index), last), () => {
    call(null);
    f.increment(index, taken);
  });
  // An index without a partner.
  if (taken === 2)
    f.if(i32.lt_s(f.get(index), f.param(2)), () => call(f.constant(i64x2.const(-1n, 0n))));
  return { code: wasmCode(f, aboutBlocks(ir.name)), args };
}

/** What the two SIMD lanes of a kernel of blocks have. */
export type SideBySide = 'nothing' | 'lanes' | 'indices';

/** Reads slots of the argument record, each once, when it is first asked for. */
function slotsOf(f: FunctionBuilder, args: ArgumentLayout): BlockSetting['slot'] {
  const slots = new Map<string, WasmNode>();
  return (name, type = 'i32') => {
    const node = slots.get(name) ?? loadSlot(f, args, name, type);
    slots.set(name, node);
    return node;
  };
}

/** Sets memory to zero; `bytes` is a multiple of 8. */
function clear(f: FunctionBuilder, address: WasmNode, bytes: number): void {
  if (bytes === 0) return;
  f.range(
    i32.const(0),
    i32.const(bytes),
    (offset) => f.emit(f64.store(i32.add(address, offset), f64.const(0))),
    8,
  );
}

/** What the kernel does. */
export const aboutBlocks = (name: string): string => `${name}

Block functor '${name}': one block of indices after another.
  clear     memory that the lanes of a block share
  call      the functor; reads are clamped to the array, writes outside are refused and noted`;
