import { describe, expect, it } from 'vitest';
import { assembleModule } from '../../../src/lower/wasm/assembleModule.js';
import { FunctionBuilder } from '../../../src/lower/wasm/FunctionBuilder.js';
import { mathImports } from '../../../src/lower/wasm/mathImports.js';
import { lane, laneMemory, memory, plain, resultType } from '../../../src/lower/wasm/opcodes.js';
import {
  memory as bulk,
  call,
  f64,
  f64x2,
  i32,
  i32x4,
  select,
  v128,
} from '../../../src/lower/wasm/ops.js';
import type { WasmNode, WasmType } from '../../../src/lower/wasm/WasmNode.js';

function instantiate(functions: FunctionBuilder[]) {
  const heap = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  const bytes = assembleModule({ functions });
  const module = new WebAssembly.Module(bytes as BufferSource);
  const instance = new WebAssembly.Instance(module, { env: { memory: heap }, math: mathImports });
  return { heap, bytes, run: instance.exports as Record<string, (...args: number[]) => number> };
}

describe('assembleModule', () => {
  it('runs a counted loop over memory', () => {
    const f = new FunctionBuilder('sum', ['i32', 'i32'], ['f64']);
    const total = f.local('f64');
    f.range(i32.const(0), f.param(1), (k) => {
      f.set(total, f64.add(f.get(total), f64.load(i32.add(f.param(0), i32.shl(k, i32.const(3))))));
    });
    f.emit(f.get(total));
    const { heap, run } = instantiate([f]);
    new Float64Array(heap.buffer, 64, 5).set([1, 2, 3, 4, 5.5]);
    expect(run.sum?.(64, 5)).toBe(15.5);
  });

  it('leaves nested blocks and loops by label', () => {
    const f = new FunctionBuilder('firstAbove', ['i32', 'i32'], ['i32']);
    const at = f.variable(i32.const(-1));
    f.block((found) => {
      f.range(i32.const(0), i32.const(100), (k) => {
        f.if(i32.gt_s(i32.mul(k, k), f.param(0)), () => {
          f.set(at, k);
          f.br(found);
        });
      });
    });
    f.emit(f.get(at));
    const { run } = instantiate([f]);
    expect(run.firstAbove?.(50, 0)).toBe(8);
    expect(run.firstAbove?.(100_000, 0)).toBe(-1);
  });

  it('calls functions it uses, and imported ones with any number of arguments', () => {
    const square = new FunctionBuilder('square', ['f64'], ['f64']);
    square.emit(f64.mul(square.param(0), square.param(0)));
    const f = new FunctionBuilder('f', ['f64', 'f64'], ['f64']);
    f.uses.set('square', square);
    const third = call('math.hypot', f.param(0), f.param(1), f64.const(12));
    f.emit(
      f64.add(
        call('square', f.param(0)),
        f64.add(call('math.hypot', f.param(0), f.param(1)), third),
      ),
    );
    expect(instantiate([f]).run.f?.(3, 4)).toBe(9 + 5 + 13);
  });

  it('adds atomically and fills memory', () => {
    const f = new FunctionBuilder('f', ['i32'], ['i32']);
    f.emit(bulk.fill(i32.const(0), i32.const(1), i32.const(16)));
    f.emit(bulk.copy(i32.const(16), i32.const(0), i32.const(16)), bulk.fence());
    f.emit(i32.atomicRmw.add(f.param(0), i32.const(5), 4));
    const { heap, run } = instantiate([f]);
    expect(run.f?.(16)).toBe(0x01010101);
    expect(new Int32Array(heap.buffer)[5]).toBe(0x01010106);
  });

  it('computes constants asked for inside a loop once, at the entry', () => {
    const f = new FunctionBuilder('f', ['i32'], ['f64']);
    const sum = f.variable(f64x2.const(0));
    f.range(i32.const(0), f.param(0), () =>
      f.set(sum, f64x2.add(f.get(sum), f.constant(f64x2.const(1, 2)))),
    );
    f.emit(f64.add(f64x2.extract(0, f.get(sum)), f64x2.extract(1, f.get(sum))));
    expect(f.code[0]?.[0]).toBe('local.set');
    expect(instantiate([f]).run.f?.(10)).toBe(30);
  });

  it('encodes negative, 64-bit and non-finite constants', () => {
    const f = new FunctionBuilder('f', [], ['f64']);
    const lanes = f.keep(i32x4.const(-1, 2, -3, 0x7fffffff));
    const low = f64.convert_i32_s(i32.add(i32x4.extract(0, lanes), i32x4.extract(3, lanes)));
    const wide = f64.convert_i64_s(['i64.const', -(2n ** 40n)]);
    f.emit(
      select(
        f64.lt(f64.const(Number.NEGATIVE_INFINITY), low),
        f64.add(low, wide),
        f64.const(Number.NaN),
      ),
    );
    expect(instantiate([f]).run.f?.()).toBe(0x7ffffffe - 2 ** 40);
  });

  it('gives equal bytes for equal input and rejects what does not exist', () => {
    const make = (op: string) => {
      const f = new FunctionBuilder('f', [], []);
      f.emit(['drop', [op, f64.const(1)]]);
      return f;
    };
    expect(assembleModule({ functions: [make('f64.neg')] })).toEqual(
      assembleModule({ functions: [make('f64.neg')] }),
    );
    expect(() => assembleModule({ functions: [make('f64.frobnicate')] })).toThrow(
      /unknown WebAssembly instruction/,
    );
    const lost = new FunctionBuilder('f', []);
    lost.br(7);
    expect(() => assembleModule({ functions: [lost] })).toThrow(/not open/);
    lost.body = [call('nowhere')];
    expect(() => assembleModule({ functions: [lost] })).toThrow(/nowhere/);
  });
});

/** Operand types of an instruction by trial: the tables hold if some combination of few operands validates. */
const zero: Record<WasmType, WasmNode> = {
  i32: i32.const(0),
  i64: ['i64.const', 0n],
  f32: ['f32.const', 0],
  f64: f64.const(0),
  v128: v128.const(new Uint8Array(16)),
};

function validates(
  build: (operands: readonly WasmNode[]) => WasmNode,
  result: WasmType | null,
): boolean {
  const types = Object.keys(zero) as WasmType[];
  const combinations = (n: number): WasmType[][] =>
    n === 0 ? [[]] : combinations(n - 1).flatMap((rest) => types.map((t) => [...rest, t]));
  for (let n = 0; n <= 3; n++) {
    for (const combination of combinations(n)) {
      const f = new FunctionBuilder('f', [], result ? [result] : []);
      f.emit(build(combination.map((t) => zero[t])));
      if (WebAssembly.validate(assembleModule({ functions: [f] }) as BufferSource)) return true;
    }
  }
  return false;
}

describe('opcode tables', () => {
  const special = /^(drop|select|unreachable|nop)$|relaxed/; // polymorphic, or behind a flag in Node 20
  it.each([...plain.keys()].filter((op) => !special.test(op)))(
    '%s validates with its result type',
    (op) => {
      expect(validates((o) => [op, ...o], resultType(op))).toBe(true);
    },
  );
  it.each([...memory.keys()])('%s validates', (op) => {
    expect(validates((o) => [op, 8, ...o], resultType(op))).toBe(true);
  });
  it.each([...lane.keys()])('%s validates', (op) => {
    expect(validates((o) => [op, 1, ...o], resultType(op))).toBe(true);
  });
  it.each([...laneMemory.keys()])('%s validates', (op) => {
    expect(validates((o) => [op, 8, 1, ...o], resultType(op))).toBe(true);
  });
});
