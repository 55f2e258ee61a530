import { assembleModule, type FunctionBuilder, printModule } from '@corpuscle/functor/wasm';
import type { KernelCode } from './Kernel.js';

/**
 * The code of a kernel from its function `run`, whose arguments are named as the calling convention names them.
 * @param about what it does, stage by stage, for readers of its text.
 */
export function wasmCode(
  run: FunctionBuilder,
  about: string,
): Extract<KernelCode, { kind: 'wasm' }> {
  for (const [k, name] of ['args', 'begin', 'end', 'thread'].entries()) run.called(k, name);
  const spec = { functions: [run], exports: ['run'] };
  return {
    kind: 'wasm',
    bytes: (addresses) => assembleModule({ ...spec, addresses }),
    text: (addresses) => printModule({ ...spec, addresses }, about),
  };
}
