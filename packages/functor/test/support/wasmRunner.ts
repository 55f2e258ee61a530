import type { FunctorIR, ValueType } from '../../src/ir.js';
import { assembleModule } from '../../src/lower/wasm/assembleModule.js';
import type { BodyEnv, LaneShape, LaneValue } from '../../src/lower/wasm/BodyEnv.js';
import { FunctionBuilder } from '../../src/lower/wasm/FunctionBuilder.js';
import { LaneOps } from '../../src/lower/wasm/LaneOps.js';
import { lowerBody, lowerPrologue } from '../../src/lower/wasm/lowerBody.js';
import { mathImports } from '../../src/lower/wasm/mathImports.js';
import { f32, f64, i32, i32x4, select } from '../../src/lower/wasm/ops.js';
import type { WasmNode } from '../../src/lower/wasm/WasmNode.js';
import { hoistUniform } from '../../src/passes/hoistUniform.js';

/**
 * The smallest scaffold around `lowerBody`, and an example of one: every field of every role lies in memory as f64s, one per lane,
 *
 *   row of field f:  lane 0 | lane 1 | lane 2 | lane 3        at 64 + 32·f
 *   tables:          f64 elements at their own addresses      (clamped to their length)
 *
 * and the body runs once. Written fields are held in locals meanwhile, so that reads see writes.
 */
export interface WasmRunner {
  /** Runs the body once on up to `lanes` samples (lane k has sample k) and changes their written fields. */
  run(
    samples: readonly Record<string, Record<string, number>>[],
    tables: Record<string, ArrayLike<number>>,
  ): void;
  readonly bytes: Uint8Array;
}

const ROW = 32;
const FIRST_ROW = 64;
const TABLES = 16384;
const TABLE_BYTES = 1024;
const SCRATCH = 32768;

export interface RunnerOptions extends LaneShape {
  /** Switch off all lanes from this one on. */
  readonly liveLanes?: number;
  readonly scratch?: boolean;
  readonly relaxed?: boolean;
  /** Fields that are equal on all lanes (lane 0 counts). Default: those of p. */
  readonly uniform?: (role: string, field: string) => boolean;
  readonly hoist?: boolean;
}

export function wasmRunner(ir: FunctorIR, options: RunnerOptions): WasmRunner {
  const { lanes, real } = options;
  const isUniform = options.uniform ?? ((role: string) => role === 'p');
  const builder = new FunctionBuilder('run', []);
  const ops = new LaneOps(builder, options);
  const rows: { role: string; field: string; type: ValueType }[] = [];
  const tables: string[] = [];
  for (const [role, fields] of Object.entries(ir.roles)) {
    for (const [field, { type, array }] of Object.entries(fields)) {
      if (array) tables.push(`${role}.${field}`);
      else rows.push({ role, field, type });
    }
  }
  const addressOf = (role: string, field: string) =>
    FIRST_ROW + ROW * rows.findIndex((r) => r.role === role && r.field === field);

  const toScalar = (type: ValueType, node: WasmNode): WasmNode => {
    if (type === 'real') return real === 'f64' ? node : f32.demote_f64(node);
    return type === 'u32' ? i32.trunc_sat_f64_u(node) : i32.trunc_sat_f64_s(node);
  };
  const loadLanes = (type: ValueType, addresses: readonly WasmNode[]): WasmNode =>
    addresses.reduce(
      (v, a, k) => ops.replace(type, k, v, toScalar(type, f64.load(a))),
      i32x4.const(0),
    );
  const lanesOf = (address: number) =>
    Array.from({ length: lanes }, (_, k) => i32.const(address + 8 * k));

  // All fields in locals.
  const locals = new Map<string, { local: number; uniform: boolean; type: ValueType }>();
  for (const { role, field, type } of rows) {
    const uniform = lanes === 1 || isUniform(role, field);
    const address = addressOf(role, field);
    const value = uniform
      ? toScalar(type, f64.load(i32.const(address)))
      : loadLanes(type, lanesOf(address));
    locals.set(`${role}.${field}`, {
      local: builder.variable(value, ops.localType(type, uniform)),
      uniform,
      type,
    });
  }
  const place = (role: string, field: string) => {
    const found = locals.get(`${role}.${field}`);
    if (!found) throw new Error(`no field ${role}.${field}`);
    return found;
  };
  const elementAddress = (role: string, field: string, index: WasmNode): WasmNode => {
    const base = TABLES + TABLE_BYTES * tables.indexOf(`${role}.${field}`);
    const length = builder.keep(i32.trunc_sat_f64_s(f64.load(i32.const(base))), 'i32');
    const at = builder.keep(index, 'i32');
    const last = i32.sub(length, i32.const(1));
    const clamped = select(i32.lt_u(at, length), at, last);
    return i32.add(i32.const(base + 8), i32.shl(clamped, i32.const(3)));
  };
  const typeOf = (role: string, field: string): ValueType =>
    ir.roles[role as 'p']?.[field]?.type ?? 'real';

  const env: BodyEnv = {
    uniform: isUniform,
    field: (role, field): LaneValue => {
      const { local, uniform, type } = place(role, field);
      return { uniform, type, node: builder.get(local) };
    },
    item: (role, field, index): LaneValue => {
      const type = typeOf(role, field);
      if (index.uniform) {
        const node = toScalar(type, f64.load(elementAddress(role, field, index.node)));
        return { uniform: true, type, node };
      }
      const at = builder.keep(index.node, 'v128');
      const addresses = Array.from({ length: lanes }, (_, k) =>
        elementAddress(role, field, i32x4.extract(k, at)),
      );
      return { uniform: false, type, node: loadLanes(type, addresses) };
    },
    write: (role, field, op, value, mask) => {
      const { local, uniform, type } = place(role, field);
      const old = builder.get(local);
      const scalar = real === 'f64' ? f64 : f32;
      if (uniform) {
        const sum = type === 'real' ? scalar : i32;
        builder.set(
          local,
          op === '='
            ? value.node
            : op === '+='
              ? sum.add(old, value.node)
              : sum.sub(old, value.node),
        );
        return;
      }
      const sum = type === 'real' ? ops.F : i32x4;
      const vector = ops.vector(value);
      const next = op === '=' ? vector : op === '+=' ? sum.add(old, vector) : sum.sub(old, vector);
      builder.set(local, mask ? ops.blend(type, next, old, mask) : next);
    },
    writeItem: () => {
      throw new Error('array arguments are not in this scaffold');
    },
  };

  const live = options.liveLanes ?? lanes;
  const on = (k: number) => (k < live ? -1 : 0);
  const bits = real === 'f64' ? [on(0), on(0), on(1), on(1)] : [on(0), on(1), on(2), on(3)];
  const mask = lanes > 1 && live < lanes ? i32x4.const(...bits) : null;
  const common = {
    builder,
    lanes,
    real,
    env,
    mask,
    scratch: options.scratch ? i32.const(SCRATCH) : null,
    relaxed: options.relaxed ?? false,
  };
  if (options.hoist) {
    const { prologue, ir: rest } = hoistUniform(ir);
    const variables = lowerPrologue(prologue, common);
    lowerBody(rest, { ...common, variables });
  } else lowerBody(ir, common);

  for (const { role, field, type } of rows) {
    if (!ir.roles[role as 'i']?.[field]?.writable) continue;
    const { local, uniform } = place(role, field);
    for (let k = 0; k < lanes; k++) {
      const node = uniform ? builder.get(local) : ops.extract(type, k, builder.get(local));
      const wide = type === 'real' ? (real === 'f64' ? node : f64.promote_f32(node)) : null;
      const value = wide ?? (type === 'u32' ? f64.convert_i32_u(node) : f64.convert_i32_s(node));
      builder.emit(f64.store(i32.const(addressOf(role, field) + 8 * k), value));
    }
  }

  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  const bytes = assembleModule({ functions: [builder] });
  const module = new WebAssembly.Module(bytes as BufferSource);
  const instance = new WebAssembly.Instance(module, {
    env: { memory },
    math: mathImports,
  } as WebAssembly.Imports);
  const view = new Float64Array(memory.buffer);
  return {
    bytes,
    run(samples, tableValues) {
      tables.forEach((name, t) => {
        const values = tableValues[name] ?? [];
        view[(TABLES + TABLE_BYTES * t) / 8] = values.length;
        for (let k = 0; k < values.length; k++)
          view[(TABLES + TABLE_BYTES * t) / 8 + 1 + k] = values[k] ?? 0;
      });
      const sampleOf = (k: number) => samples[Math.min(k, samples.length - 1)] ?? {};
      for (const { role, field } of rows) {
        for (let k = 0; k < lanes; k++)
          view[addressOf(role, field) / 8 + k] = sampleOf(k)[role]?.[field] ?? 0;
      }
      (instance.exports.run as () => void)();
      for (const { role, field } of rows) {
        if (!ir.roles[role as 'i']?.[field]?.writable) continue;
        samples.forEach((sample, k) => {
          const fields = sample[role];
          if (fields && k < lanes)
            fields[field] = view[addressOf(role, field) / 8 + k] ?? Number.NaN;
        });
      }
    },
  };
}
