import type { ParamSchema } from '@corpuscle/functor';
import type { FunctorIR, ValueType } from '@corpuscle/functor/ir';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  type BodyEnv,
  FunctionBuilder,
  i32,
  i32x4,
  i64x2,
  type LaneValue,
  lowerBody,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type KernelCode } from '../Kernel.js';
import { larger, smaller } from '../neighbors/kernels/integers.js';
import { wasmCode } from '../wasmCode.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { type Kind, LaneParts, scalars } from './LaneParts.js';
import { rowPointers } from './rowPointers.js';
import { loadSlot, type WasmParameters, wasmParameters } from './wasmParameters.js';

/** What a row kernel does besides calling the functor. */
export interface RowOptions {
  /** Rows come from a list: place k of the list instead of row k. */
  readonly listed: boolean;
  /** A reduction: reals and bytes of one record; a record for every PARTIAL rows, which the caller has initialized. */
  readonly record: { readonly reals: number; readonly bytes: number } | null;
}

/**
 * The wasm kernel of a cell or reduce functor over listed rows, or into records. Two lanes fill two records side by side, each
 * with rows of its own: row k and row k + PARTIAL.
 */
export function rowWasm(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  { listed, record }: RowOptions,
  lanes: 1 | 2,
): { code: KernelCode; args: ArgumentLayout } {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const parts = new LaneParts(f, { lanes, real: 'f64' });
  const members = [0, 1].slice(0, lanes).map(() => rowPointers(f, args, ir, bindings, 1));
  const { used, written } = members[0]!;
  const fields = new Map(
    used.map(({ field, type }) => {
      const kind = parts.own(type);
      return [field, { type, kind, locals: parts.locals(kind) }];
    }),
  );
  const parameters = wasmParameters(f, args, params, lanes);
  const places = members.map(() => f.local('i32')); // of the records in use
  const env = environmentOf({ f, parts, fields, parameters, places, reals: record?.reals ?? 0 });

  const hoisted = hoistUniform(ir);
  const options = { builder: f, lanes, real: 'f64', env } as const;
  const variables = lowerPrologue(hoisted.prologue, options);
  const list = listed ? loadSlot(f, args, argumentNames.list, 'address') : null;

  const loop = (begin: WasmNode, end: WasmNode, apart: WasmNode, mask: WasmNode | null): void => {
    f.range(begin, end, (k) => {
      for (const [lane, { rows, moveTo }] of members.entries()) {
        const at = lane === 0 ? k : i32.add(k, apart);
        moveTo(f.keep(list ? i32.load(i32.add(list, i32.shl(at, i32.const(2)))) : at, 'i32'));
        rows.load();
      }
      for (const [field, { kind, locals }] of fields)
        parts.set(
          locals,
          parts.joined(
            kind,
            members.map(({ rows }) => f.get(rows.locals.get(field)!)),
          ),
        );
      lowerBody(hoisted.ir, { ...options, mask, variables });
      for (const field of written) {
        const { kind, locals } = fields.get(field)!;
        f.set(members[0]!.rows.locals.get(field)!, parts.lane(kind, parts.get(locals), 0));
      }
      if (written.size > 0) members[0]!.rows.store(written);
    });
  };

  const none = i32.const(0);
  if (record === null) loop(f.param(1), f.param(2), none, null);
  else {
    const partials = loadSlot(f, args, argumentNames.partials, 'address');
    f.range(
      f.param(1),
      f.param(2),
      (begin) => {
        const first = f.keep(begin, 'i32');
        const number = f.keep(i32.div_u(first, i32.const(PARTIAL)));
        for (const [lane, place] of places.entries()) {
          const own = i32.mul(i32.add(number, i32.const(lane)), i32.const(record.bytes));
          f.set(place, i32.add(partials, own));
        }
        const stop = f.keep(smaller(i32.add(first, i32.const(PARTIAL)), f.param(2)), 'i32');
        if (lanes === 1) {
          loop(first, stop, none, null);
          return;
        }
        // Rows whose partner in the next record exists, and the others.
        const paired = f.keep(larger(i32.sub(f.param(2), i32.const(PARTIAL)), first), 'i32');
        const both = f.keep(smaller(paired, stop), 'i32');
        loop(first, both, i32.const(PARTIAL), null);
        loop(both, stop, none, f.constant(i64x2.const(-1n, 0n)));
      },
      lanes * PARTIAL,
    );
  }
  return { code: wasmCode(f, aboutRows(ir.name, listed, lanes)), args };
}

/** What the body of a functor over rows is lowered with. */
interface RowValues {
  readonly f: FunctionBuilder;
  readonly parts: LaneParts;
  /** Fields of the rows side by side. */
  readonly fields: ReadonlyMap<
    string,
    { readonly type: ValueType; readonly kind: Kind; readonly locals: readonly number[] }
  >;
  readonly parameters: WasmParameters;
  /** Locals that hold where each lane's record begins, with `reals` numbers before its ids. */
  readonly places: readonly number[];
  readonly reals: number;
}

/** How a functor over rows reads and writes: `p` parameters, `acc` the lane's record, `i` the particle. */
function environmentOf({ f, parts, fields, parameters, places, reals }: RowValues): BodyEnv {
  const kept = (field: string) =>
    field === 'ids'
      ? ({ type: 'u32', kind: 'i32', first: 8 * reals, shift: 2 } as const)
      : ({ type: 'real', kind: 'f64', first: 0, shift: 3 } as const);
  const elements = (field: string, index: LaneValue): WasmNode[] => {
    const { first, shift } = kept(field);
    const all = f.keep(index.node);
    return places.map((place, lane) => {
      const own = index.uniform ? all : i32x4.extract(lane, all);
      const record = i32.add(f.get(place), i32.const(first));
      return f.keep(i32.add(record, i32.shl(own, i32.const(shift))));
    });
  };
  const stored = (field: string, at: readonly WasmNode[]): WasmNode[] => {
    const { kind } = kept(field);
    return parts.keep(
      parts.joined(
        kind,
        at.map((address) => scalars[kind].load(address)),
      ),
    );
  };

  return {
    uniform: (role) => parts.count === 1 || role === 'p',
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      const { type, kind, locals } = fields.get(field)!;
      return parts.value(type, kind, parts.get(locals));
    },
    item(role, field, index) {
      if (role === 'p') return parameters.item(field, index);
      const { type, kind } = kept(field);
      return parts.value(type, kind, stored(field, elements(field, index)));
    },
    write(_role, field, op, value, mask) {
      const { kind, locals } = fields.get(field)!;
      parts.set(locals, parts.changed(kind, op, parts.get(locals), value, mask));
    },
    writeItem(_role, field, index, op, value, mask) {
      const { kind } = kept(field);
      const at = elements(field, index);
      const old = op === '=' && mask === null ? [] : stored(field, at);
      const next = parts.keep(parts.changed(kind, op, old, value, mask));
      for (const [lane, address] of at.entries())
        f.emit(scalars[kind].store(address, parts.lane(kind, next, lane)));
    },
  };
}

/** What the kernel does. */
export const aboutRows = (name: string, listed: boolean, lanes: 1 | 2 = 1): string =>
  `${name}\n\nFunctor '${name}' over ${listed ? 'listed rows' : 'rows'} begin … end − 1, ${lanes === 1 ? 'one at a time' : 'two at a time, each into a record of its own'}.`;
