import { assembleModule } from '../../src/lower/wasm/assembleModule.js';
import type { LaneShape } from '../../src/lower/wasm/BodyEnv.js';
import { FunctionBuilder } from '../../src/lower/wasm/FunctionBuilder.js';
import { LaneOps } from '../../src/lower/wasm/LaneOps.js';
import type { VectorMath } from '../../src/lower/wasm/math/VectorMath.js';
import { mathImports } from '../../src/lower/wasm/mathImports.js';
import { i32, v128 } from '../../src/lower/wasm/ops.js';

/** A vector function of `arity` arguments as a function on arrays. */
export function vectorMathRunner(
  f: VectorMath,
  arity: number,
  shape: LaneShape & { readonly relaxed?: boolean },
): (...args: readonly ArrayLike<number>[]) => number[] {
  const size = 4096; // elements at a time
  const base = 65536; // of the results; tables of constants lie below
  const bytes = shape.real === 'f64' ? 8 : 4;
  const builder = new FunctionBuilder('run', []);
  const ops = new LaneOps(builder, shape);
  builder.range(
    i32.const(0),
    i32.const(size * bytes),
    (at) => {
      const args = Array.from({ length: arity }, (_, k) =>
        builder.keep(v128.load(at, base + (k + 1) * size * bytes)),
      );
      builder.emit(
        v128.store(
          at,
          f({ builder, ops, mask: null, relaxed: shape.relaxed ?? false }, ...args),
          base,
        ),
      );
    },
    16,
  );
  const memory = new WebAssembly.Memory({ initial: 4, maximum: 65536, shared: true });
  const module = new WebAssembly.Module(assembleModule({ functions: [builder] }) as BufferSource);
  const instance = new WebAssembly.Instance(module, {
    env: { memory },
    math: mathImports,
  } as WebAssembly.Imports);
  const data =
    shape.real === 'f64'
      ? new Float64Array(memory.buffer, base)
      : new Float32Array(memory.buffer, base);
  return (...args) => {
    const out: number[] = [];
    const total = args[0]?.length ?? 0;
    for (let begin = 0; begin < total; begin += size) {
      const count = Math.min(size, total - begin);
      args.forEach((values, k) => {
        for (let n = 0; n < size; n++)
          data[(k + 1) * size + n] = n < count ? (values[begin + n] ?? 0) : 1;
      });
      (instance.exports.run as () => void)();
      for (let n = 0; n < count; n++) out.push(data[n] ?? Number.NaN);
    }
    return out;
  };
}
