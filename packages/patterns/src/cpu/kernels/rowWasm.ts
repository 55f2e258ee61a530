import type { ParamSchema } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  type BodyEnv,
  FunctionBuilder,
  f64,
  i32,
  lowerBody,
  lowerPrologue,
  select,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type KernelCode } from '../Kernel.js';
import { wasmCode } from '../wasmCode.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { rowPointers } from './rowPointers.js';
import { loadSlot, wasmParameters } from './wasmParameters.js';

/** What a row kernel does besides calling the functor. */
export interface RowOptions {
  /** Rows come from a list: place k of the list instead of row k. */
  readonly listed: boolean;
  /** A reduction: reals and bytes of one record; a record for every PARTIAL rows, which the caller has initialized. */
  readonly record: { readonly reals: number; readonly bytes: number } | null;
}

/** The wasm kernel of a cell or reduce functor that takes one particle after the other. */
export function rowWasm(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  { listed, record }: RowOptions,
): { code: KernelCode; args: ArgumentLayout } {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const { used, written, rows, ...pointers } = rowPointers(f, args, ir, bindings, 1);
  const parameters = wasmParameters(f, args, params, 1);
  const place = f.local('i32'); // of the record in use
  const element = (field: string, index: WasmNode): WasmNode => {
    const first = field === 'ids' ? 8 * record!.reals : 0;
    const shift = i32.const(field === 'ids' ? 2 : 3);
    return i32.add(i32.add(f.get(place), i32.const(first)), i32.shl(index, shift));
  };

  const env: BodyEnv = {
    uniform: () => true,
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      const { type } = used.find((b) => b.field === field)!;
      return { uniform: true, type, node: f.get(rows.locals.get(field)!) };
    },
    item(role, field, index) {
      if (role === 'p') return parameters.item(field, index);
      const at = element(field, index.node);
      const node = field === 'ids' ? i32.load(at) : f64.load(at);
      return { uniform: true, type: field === 'ids' ? 'u32' : 'real', node: f.keep(node) };
    },
    write(_role, field, op, { type, node }) {
      const local = rows.locals.get(field)!;
      const operation = op === '-=' ? 'sub' : 'add';
      const sum = (type === 'real' ? f64 : i32)[operation](f.get(local), node);
      f.set(local, op === '=' ? node : sum);
    },
    writeItem(_role, field, index, _op, { node }) {
      f.emit((field === 'ids' ? i32 : f64).store(element(field, index.node), node));
    },
  };

  const hoisted = hoistUniform(ir);
  const variables = lowerPrologue(hoisted.prologue, { builder: f, lanes: 1, real: 'f64', env });
  const list = listed ? loadSlot(f, args, argumentNames.list, 'address') : null;

  const loop = (begin: WasmNode, end: WasmNode): void => {
    f.range(begin, end, (k) => {
      const row = f.keep(list ? i32.load(i32.add(list, i32.shl(k, i32.const(2)))) : k, 'i32');
      pointers.moveTo(row);
      rows.load();
      lowerBody(hoisted.ir, { builder: f, lanes: 1, real: 'f64', env, mask: null, variables });
      rows.store(written);
    });
  };

  if (record === null) loop(f.param(1), f.param(2));
  else {
    const partials = loadSlot(f, args, argumentNames.partials, 'address');
    f.range(
      f.param(1),
      f.param(2),
      (begin) => {
        const first = f.keep(begin, 'i32');
        const number = i32.div_u(first, i32.const(PARTIAL));
        f.set(place, i32.add(partials, i32.mul(number, i32.const(record.bytes))));
        const stop = f.keep(i32.add(first, i32.const(PARTIAL)), 'i32');
        loop(first, f.keep(select(i32.lt_s(stop, f.param(2)), stop, f.param(2)), 'i32'));
      },
      PARTIAL,
    );
  }
  return { code: wasmCode(f, aboutRows(ir.name, listed)), args };
}

/** What the kernel does. */
export const aboutRows = (name: string, listed: boolean): string =>
  `${name}\n\nFunctor '${name}' over ${listed ? 'listed rows' : 'rows'} begin … end − 1, one at a time.`;
