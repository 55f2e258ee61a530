import { CorpuscleError } from '../error/CorpuscleError.js';
import type { Functor } from '../Functor.js';
import type { ValueType } from '../ir.js';
import { assembleModule } from '../lower/wasm/assembleModule.js';
import type { BodyEnv } from '../lower/wasm/BodyEnv.js';
import { FunctionBuilder } from '../lower/wasm/FunctionBuilder.js';
import { LaneOps } from '../lower/wasm/LaneOps.js';
import { lowerBody } from '../lower/wasm/lowerBody.js';
import { f64, i32, i32x4, v128 } from '../lower/wasm/ops.js';
import type { WasmNode } from '../lower/wasm/WasmNode.js';

/** A WebAssembly module, and what its function `run` takes. */
export interface CellModule {
  readonly bytes: Uint8Array;
  /** After the count: addresses of the fields (f64 of reals, 4 bytes of integers), then the parameters. */
  readonly arguments: readonly string[];
}

/**
 * A cell functor as a WebAssembly module that needs no engine: `run(count, …fields, …params)` applies it to arrays in the
 * imported memory, two elements at a time.
 *
 * ```
 *  0 … 65535  tables of the module │ field x (real)  [f64 | f64 | …] │ field n (i32, u32)  [4 bytes | 4 bytes | …]
 * ```
 *
 * @throws CorpuscleError FUNCTOR_UNSUPPORTED when the functor could not be compiled, or has tables among its parameters
 * @example
 * const { bytes } = cellToWasm(growth); // fields: x, read: rate, params: dt
 * const memory = new WebAssembly.Memory({ initial: 2 });
 * const { instance } = await WebAssembly.instantiate(bytes, { env: { memory }, math: mathImports });
 * instance.exports.run(1000, 65536, 65536 + 8000, 0.1);
 */
export function cellToWasm(functor: Functor<'cell'>): CellModule {
  const { ir, name } = functor;
  if (!ir)
    throw new CorpuscleError('FUNCTOR_UNSUPPORTED', `functor '${name}': ${functor.notCompiled}`);
  const fields = Object.entries(ir.roles.i ?? {});
  const params = Object.entries(ir.roles.p ?? {});
  const table = params.find(([, { array }]) => array);
  if (table)
    throw new CorpuscleError(
      'FUNCTOR_UNSUPPORTED',
      `functor '${name}': the parameter '${table[0]}' is a table, which a module of its own cannot hold; use scalars, or a pattern`,
    );
  const scalar = (type: ValueType) => (type === 'real' ? 'f64' : 'i32');
  const f = new FunctionBuilder('run', [
    'i32',
    ...fields.map(() => 'i32' as const),
    ...params.map(([, { type }]) => scalar(type)),
  ]);

  /** Elements k … k + lanes − 1: loads, the body, and stores of what it may have written. */
  const elements = (k: WasmNode, lanes: 1 | 2): void => {
    const ops = new LaneOps(f, { lanes, real: 'f64' });
    const places = new Map(
      fields.map(([field, { type, writable }], n) => {
        const shift = i32.const(type === 'real' ? 3 : 2);
        const address = f.keep(i32.add(f.param(1 + n), i32.shl(k, shift)), 'i32');
        const local = f.variable(load(address, type, lanes), ops.localType(type, lanes === 1));
        return [field, { type, writable, address, local }];
      }),
    );
    const env: BodyEnv = {
      uniform: (role) => lanes === 1 || role === 'p',
      field(role, field) {
        const n = role === 'p' ? params.findIndex(([param]) => param === field) : -1;
        if (n >= 0)
          return { uniform: true, type: params[n]![1].type, node: f.param(1 + fields.length + n) };
        const { type, local } = places.get(field)!;
        return { uniform: lanes === 1, type, node: f.get(local) };
      },
      write(_role, field, op, value, mask) {
        const { type, local } = places.get(field)!;
        const old = f.get(local);
        const sum = type === 'real' ? (lanes === 1 ? f64 : ops.F) : lanes === 1 ? i32 : i32x4;
        const given = lanes === 1 ? value.node : ops.vector(value);
        const next = op === '=' ? given : op === '+=' ? sum.add(old, given) : sum.sub(old, given);
        f.set(local, mask ? ops.blend(type, f.keep(next, 'v128'), old, mask) : next);
      },
      item: noArrays,
      writeItem: noArrays,
    };
    lowerBody(ir, { builder: f, lanes, real: 'f64', env });
    for (const { type, writable, address, local } of places.values())
      if (writable) f.emit(store(address, type, lanes, f.get(local)));
  };

  const pairs = f.keep(i32.and(f.param(0), i32.const(-2)), 'i32');
  f.range(i32.const(0), pairs, (k) => elements(k, 2), 2);
  f.range(pairs, f.param(0), (k) => elements(k, 1));
  const bytes = assembleModule({ functions: [f], memory: { minimum: 1, shared: false } });
  const names = [...fields, ...params].map(([field]) => field);
  return { bytes, arguments: ['count', ...names] };
}

function noArrays(): never {
  throw new Error('cell functors have no arrays but tables, which are refused');
}

function load(address: WasmNode, type: ValueType, lanes: 1 | 2): WasmNode {
  if (type === 'real') return lanes === 1 ? f64.load(address) : v128.load(address);
  return lanes === 1 ? i32.load(address) : v128.load64_zero(address);
}

function store(address: WasmNode, type: ValueType, lanes: 1 | 2, value: WasmNode): WasmNode {
  if (type === 'real') return lanes === 1 ? f64.store(address, value) : v128.store(address, value);
  return lanes === 1 ? i32.store(address, value) : v128.store64Lane(0, address, value);
}
