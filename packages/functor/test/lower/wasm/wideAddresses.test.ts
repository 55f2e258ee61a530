import { describe, expect, it } from 'vitest';
import { assembleWat } from '../../../../../test/support/assembleWat.js';
import { assembleModule } from '../../../src/lower/wasm/assembleModule.js';
import { FunctionBuilder } from '../../../src/lower/wasm/FunctionBuilder.js';
import { canAddressWidely } from '../../../src/lower/wasm/memories.js';
import { laneMemory, memory } from '../../../src/lower/wasm/opcodes.js';
import { address, memory as bulk, f64, i32, i64, select } from '../../../src/lower/wasm/ops.js';
import { printModule } from '../../../src/lower/wasm/printModule.js';
import type { WasmNode } from '../../../src/lower/wasm/WasmNode.js';

const wide = { addresses: 'i64' } as const;
const v: WasmNode = ['v128.const', new Uint8Array(16)];

/** A function of one word. */
function ofWord(emit: (f: FunctionBuilder, at: WasmNode) => void): FunctionBuilder {
  const f = new FunctionBuilder('run', ['i32']);
  emit(f, f.keep(address(f.param(0))));
  return f;
}

/** The statements of its form for 64-bit addresses. */
const textOf = (f: FunctionBuilder): string =>
  printModule({ functions: [f], ...wide })
    .split('\n')
    .filter((line) => /^ {4}/.test(line) && !line.includes('(local $'))
    .map((line) => line.trim())
    .join('\n');

describe('64-bit addresses', () => {
  it('are in Node from 24 on', () => {
    expect(canAddressWidely).toBe(Number.parseInt(process.versions.node, 10) >= 24);
  });

  it('numbers are extended where they meet addresses, and stay 32 bits elsewhere', () => {
    const f = ofWord((b, at) => {
      const row = b.keep(i32.load(at, 4));
      b.emit(f64.store(i32.add(at, i32.shl(row, i32.const(5))), f64.convert_i32_s(row), 8));
    });
    expect(textOf(f)).toMatchInlineSnapshot(`
      "(local.set $l1 (i64.shl (i64.extend_i32_u (local.get $i0)) (i64.const 2)))
      (local.set $i2 (i32.load offset=4 (local.get $l1)))
      (f64.store offset=8
      (i64.add (local.get $l1) (i64.shl (i64.extend_i32_u (local.get $i2)) (i64.const 5)))
      (f64.convert_i32_s (local.get $i2)))))"
    `);
  });

  it('differences of addresses are 64 bits until they are stored, converted or asked whether they are 0', () => {
    const f = ofWord((b, at) => {
      const end = b.variable(select(b.param(0), at, i32.const(0)));
      b.increment(end, -16);
      b.if(i32.lt_u(b.get(end), at), () => b.emit(bulk.fill(at, i32.const(0), i32.const(64))));
      b.if(b.get(end), () =>
        b.emit(i32.store(at, i32.shr_u(i32.sub(b.get(end), at), i32.const(2)))),
      );
    });
    expect(textOf(f)).toMatchInlineSnapshot(`
      "(local.set $l1 (i64.shl (i64.extend_i32_u (local.get $i0)) (i64.const 2)))
      (local.set $l2 (select (local.get $l1) (i64.const 0) (local.get $i0)))
      (local.set $l2 (i64.add (local.get $l2) (i64.const -16)))
      (if
      (i64.lt_u (local.get $l2) (local.get $l1))
      (then
      (memory.fill (local.get $l1) (i32.const 0) (i64.const 64))))
      (if
      (i64.ne (local.get $l2) (i64.const 0))
      (then
      (i32.store
      (local.get $l1)
      (i32.wrap_i64 (i64.shr_u (i64.sub (local.get $l2) (local.get $l1)) (i64.const 2))))))))"
    `);
  });

  it('a word that is set to an address is refused', () => {
    const f = new FunctionBuilder('run', ['i32']);
    f.set(0, address(f.param(0)));
    expect(() => assembleModule({ functions: [f], ...wide })).toThrow(/argument 0 of run/);
  });

  it.each([...memory.keys(), ...laneMemory.keys()])('%s takes them', async (op) => {
    const value: WasmNode = /^v128|x/.test(op)
      ? v
      : op.startsWith('memory.')
        ? i32.const(0)
        : [`${op.slice(0, 3)}.const`, 0];
    const f = ofWord((b, at) => {
      const count = /rmw\.cmpxchg/.test(op)
        ? 2
        : /wait/.test(op)
          ? 2
          : /load(?!.*lane)/.test(op)
            ? 0
            : 1;
      const values = Array.from({ length: count }, (_, k) =>
        /wait/.test(op) ? (k === 1 || op.endsWith('64') ? i64.const(0n) : i32.const(0)) : value,
      );
      const immediates = laneMemory.has(op) ? [16, 1] : [16];
      const node = [op, ...immediates, at, ...values] as unknown as WasmNode;
      b.emit(/\.store/.test(op) ? node : ['drop', node]);
    });
    const spec = { functions: [f], ...wide };
    expect(Buffer.compare(await assembleWat(printModule(spec)), assembleModule(spec))).toBe(0);
    if (canAddressWidely)
      expect(WebAssembly.validate(assembleModule(spec) as BufferSource)).toBe(true);
  });
});
