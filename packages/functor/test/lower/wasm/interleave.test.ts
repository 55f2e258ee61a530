import { describe, expect, it } from 'vitest';
import { assembleModule } from '../../../src/lower/wasm/assembleModule.js';
import { FunctionBuilder } from '../../../src/lower/wasm/FunctionBuilder.js';
import { flattened, interleaved } from '../../../src/lower/wasm/interleave.js';
import { i32 } from '../../../src/lower/wasm/ops.js';
import type { WasmNode } from '../../../src/lower/wasm/WasmNode.js';

const store = (at: number, value: number): WasmNode => i32.store(i32.const(at), i32.const(value));

describe('interleaved statements', () => {
  it('alternate, and blocks that no jump leaves are removed', () => {
    const [a, b, c, d] = [store(0, 1), store(4, 2), store(8, 3), store(12, 4)];
    const block: WasmNode = ['block', 1, [a, ['nop'], ['block', 2, [b]]]];
    expect(interleaved([[block], [c, d]])).toEqual([a, c, b, d]);
  });

  it.each([
    ['a jump', ['br', 1]],
    ['a jump on a condition', ['br_if', 1, i32.const(1)]],
    ['a jump in a branch', ['if', i32.const(1), [['br', 1]], []]],
    ['a jump on a condition in an inner block', ['block', 2, [['br_if', 1, i32.const(1)]]]],
  ] as [string, WasmNode][])('keep a block with %s out of it', (_, jump) => {
    const block: WasmNode = ['block', 1, [jump, store(0, 1)]];
    expect(flattened([block])).toEqual([block]);
  });

  it.each([0, 1])('mean the same where blocks are left early: %i', (leaves) => {
    const run = (take: (lists: readonly WasmNode[][]) => readonly WasmNode[]) => {
      const f = new FunctionBuilder('run', ['i32']);
      const part = (at: number) =>
        f.collect(() =>
          f.block((label) => {
            f.emit(store(at, 1));
            f.brIf(label, f.param(0));
            f.emit(store(at, 2));
          }),
        );
      const lists = [part(0), part(4)];
      f.emit(...take(lists));
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
      const module = new WebAssembly.Module(assembleModule({ functions: [f] }) as BufferSource);
      const instance = new WebAssembly.Instance(module, { env: { memory } });
      (instance.exports.run as (leaves: number) => void)(leaves);
      return [...new Int32Array(memory.buffer, 0, 2)];
    };
    expect(run(interleaved)).toEqual(run((lists) => lists.flat()));
    expect(run(interleaved)).toEqual(leaves ? [1, 1] : [2, 2]);
  });
});
