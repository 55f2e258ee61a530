export { assembleModule, type ModuleSpec } from '../lower/wasm/assembleModule.js';
export type { BodyEnv, LaneShape, LaneValue } from '../lower/wasm/BodyEnv.js';
export { costOfAll, HEAVY } from '../lower/wasm/cost.js';
export { FunctionBuilder } from '../lower/wasm/FunctionBuilder.js';
export { flattened, interleaved, mentions } from '../lower/wasm/interleave.js';
export { LaneOps } from '../lower/wasm/LaneOps.js';
export { lowerBody, lowerPrologue } from '../lower/wasm/lowerBody.js';
export { mathImports } from '../lower/wasm/mathImports.js';
export {
  type AddressType,
  canAddressWidely,
  canShare,
  createMemory,
  growMemory,
  type HeapMemory,
  mostPages,
} from '../lower/wasm/memories.js';
export {
  address,
  call,
  drop,
  f32,
  f32x4,
  f64,
  f64x2,
  i8x16,
  i32,
  i32x4,
  i64,
  i64x2,
  memory,
  select,
  v128,
} from '../lower/wasm/ops.js';
export { printModule } from '../lower/wasm/printModule.js';
export { unswitched } from '../lower/wasm/unswitch.js';
export type { Label, WasmNode, WasmType } from '../lower/wasm/WasmNode.js';
export { WIDE_WORD_SHIFT } from '../lower/wasm/wideAddresses.js';
