import type { ParamSchema, PlainResults } from '@corpuscle/functor';
import type { FunctorIR, ValueType, WriteOp } from '@corpuscle/functor/ir';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  type BodyEnv,
  costOfAll,
  FunctionBuilder,
  f64,
  f64x2,
  i8x16,
  i32,
  i32x4,
  i64x2,
  interleaved,
  type LaneValue,
  lowerBody,
  lowerPrologue,
  select,
  unswitched,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type KernelCode } from '../Kernel.js';
import { wasmCode } from '../wasmCode.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { lowWords } from './RowAccess.js';
import { type RowPointers, rowPointers } from './rowPointers.js';
import { loadSlot, type WasmParameters, wasmParameters } from './wasmParameters.js';

/** Operations of a functor from which on two vectors of particles go side by side: see `loopOfFours`. */
const FOUR_FROM = 100;

const start = { sum: 0, max: Number.NEGATIVE_INFINITY, min: Number.POSITIVE_INFINITY } as const;

/**
 * The wasm kernel of a cell or reduce functor: a loop over particles begin … end−1, two at a time in lanes of doubles, four where
 * a cell functor has many operations, or one by one. `begin` is even, so that only the grid's last particle can be without a partner; its lane-mate is a dummy
 * row, masked off. A reduction leaves one partial result for each PARTIAL particles.
 */
export function particleWasm(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  results: PlainResults,
  lanes: 1 | 2,
): { code: KernelCode; args: ArgumentLayout } {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const isReduced = Object.keys(results).length > 0;
  const pointersOf = () => rowPointers(f, args, ir, bindings, lanes);
  const first = pointersOf();
  const parameters = wasmParameters(f, args, params, lanes);
  const accumulators = new Map(
    Object.entries(results).map(([name, op]) => [
      name,
      { op, local: f.called(f.local(lanes === 2 ? 'v128' : 'f64'), `acc.${name}`) },
    ]),
  );

  const envOf = (particles: RowPointers) =>
    environmentOf(particles, { f, lanes, parameters, accumulators });
  const hoisted = hoistUniform(ir);
  const options = { builder: f, lanes, real: 'f64' } as const;
  const variables = lowerPrologue(hoisted.prologue, { ...options, env: envOf(first) });

  const particle = (at: RowPointers, mask: WasmNode | null): void => {
    f.comment('load the fields of the particle, call the functor, store what it wrote');
    at.rows.load();
    lowerBody(hoisted.ir, { ...options, env: envOf(at), mask, variables });
    at.rows.store(at.written);
    at.advance(lanes);
  };

  const isHeavy = lanes === 2 && !isReduced && costOfAll(ir.body) >= FOUR_FROM;
  const second = isHeavy ? pointersOf() : null;

  const loop = (begin: WasmNode, end: WasmNode): void => {
    const full = lanes === 1 ? end : f.named('endOfPairs', i32.and(end, i32.const(-2)));
    const from = second ? loopOfFours(f, [first, second], particle, begin, full) : begin;
    first.moveTo(from);
    f.range(from, full, () => particle(first, null), lanes, 'row');
    if (lanes === 2)
      f.if(i32.and(end, i32.const(1)), () => particle(first, f.constant(i64x2.const(-1n, 0n))));
  };

  if (accumulators.size === 0) loop(f.param(1), f.param(2));
  else {
    const partials = loadSlot(f, args, argumentNames.partials, 'address');
    f.range(
      f.param(1),
      f.param(2),
      (begin) => {
        for (const { op, local } of accumulators.values()) {
          f.set(local, lanes === 2 ? f.constant(f64x2.const(start[op])) : f64.const(start[op]));
        }
        const stop = f.named('stop', i32.add(begin, i32.const(PARTIAL)));
        loop(begin, f.named('last', select(i32.lt_s(stop, f.param(2)), stop, f.param(2))));
        const row = f.named(
          'partial',
          i32.add(
            partials,
            i32.mul(i32.div_u(begin, i32.const(PARTIAL)), i32.const(8 * accumulators.size)),
          ),
        );
        let offset = 0;
        for (const { op, local } of accumulators.values()) {
          f.emit(
            f64.store(row, lanes === 2 ? acrossLanes(f.get(local), op) : f.get(local), offset),
          );
          offset += 8;
        }
      },
      PARTIAL,
    );
  }
  return { code: wasmCode(f, aboutParticles(ir.name, lanes, accumulators.size > 0)), args };
}

/** What the environment of a functor reads and writes besides fields of particles. */
interface Outside {
  readonly f: FunctionBuilder;
  readonly lanes: 1 | 2;
  readonly parameters: WasmParameters;
  readonly accumulators: ReadonlyMap<string, { readonly local: number }>;
}

/** How a functor reads and writes the particles that pointers stand at. */
function environmentOf(
  { used, rows }: RowPointers,
  { f, lanes, parameters, accumulators }: Outside,
): BodyEnv {
  const localOf = (role: string, field: string): number =>
    role === 'acc' ? accumulators.get(field)!.local : rows.locals.get(field)!;
  return {
    uniform: (role) => lanes === 1 || role === 'p',
    field(role, field) {
      if (role === 'p') return parameters.scalar(field);
      const type = role === 'acc' ? 'real' : used.find((b) => b.field === field)!.type;
      return { uniform: lanes === 1, type, node: f.get(localOf(role, field)) };
    },
    item: (_role, field, index) => parameters.item(field, index),
    write(role, field, op, value, mask) {
      const local = localOf(role, field);
      const old = f.get(local);
      f.set(local, lanes === 1 ? combineOne(old, op, value) : combineTwo(f, old, op, value, mask));
    },
    writeItem() {
      throw new Error('particle functors have no arrays');
    },
  };
}

/**
 * A loop over particles begin … end − 1 as far as four at a time go, two vectors side by side: their chains of instructions keep a
 * processor busy that waits for those of one. @returns where it ends
 */
function loopOfFours(
  f: FunctionBuilder,
  pairs: readonly RowPointers[],
  particle: (at: RowPointers, mask: null) => void,
  begin: WasmNode,
  end: WasmNode,
): WasmNode {
  const count = i32.and(i32.sub(end, begin), i32.const(-4));
  const last = f.named('endOfFours', i32.add(begin, count));
  for (const [k, at] of pairs.entries()) at.moveTo(i32.add(begin, i32.const(2 * k)));
  const bodies = pairs.map((at) =>
    f.collect(() => {
      particle(at, null);
      at.advance(2);
    }),
  );
  const loop = (lists: readonly (readonly WasmNode[])[]) =>
    f.range(begin, last, () => f.emit(...interleaved(lists)), 4, 'row');
  const ways = bodies.flatMap((body) => unswitched(body) ?? []);
  if (ways.length < pairs.length) loop(bodies);
  else
    f.if(
      ways[0]!.condition,
      () => loop(ways.map(({ taken }) => taken)),
      () => loop(ways.map(({ left }) => left)),
    );
  return last;
}

/** What the kernel does. */
export const aboutParticles = (name: string, lanes: 1 | 2, reduces: boolean): string => `${name}

${reduces ? 'Reduce' : 'Cell'} functor '${name}' over particles begin … end − 1, ${lanes === 2 ? 'two at a time' : 'one by one'}.${reduces ? `\nEvery ${PARTIAL} particles leave a partial result.` : ''}`;

function acrossLanes(vector: WasmNode, op: 'sum' | 'max' | 'min'): WasmNode {
  const [low, high] = [f64x2.extract(0, vector), f64x2.extract(1, vector)];
  return op === 'sum' ? f64.add(low, high) : f64[op](low, high);
}

function combineOne(old: WasmNode, op: WriteOp, { type, node }: LaneValue): WasmNode {
  if (op === '=') return node;
  if (op === 'max' || op === 'min') return f64[op](old, node);
  const operation = op === '+=' ? 'add' : 'sub';
  return type === 'real' ? f64[operation](old, node) : i32[operation](old, node);
}

function combineTwo(
  f: FunctionBuilder,
  old: WasmNode,
  op: WriteOp,
  value: LaneValue,
  mask: WasmNode | null,
): WasmNode {
  const node = asVector(value);
  const real = value.type === 'real';
  if (mask !== null && real && (op === '+=' || op === '-=')) {
    return f64x2[op === '+=' ? 'add' : 'sub'](old, v128.and(node, mask));
  }
  const result = apply(old, op, node, value.type);
  if (mask === null) return result;
  const selector = real ? mask : i8x16.shuffle(lowWords, mask, mask);
  return v128.bitselect(f.keep(result, 'v128'), old, selector);
}

function apply(old: WasmNode, op: WriteOp, node: WasmNode, type: ValueType): WasmNode {
  if (op === '=') return node;
  if (op === 'max' || op === 'min') return f64x2[op](old, node);
  const operation = op === '+=' ? 'add' : 'sub';
  return type === 'real' ? f64x2[operation](old, node) : i32x4[operation](old, node);
}

function asVector({ uniform, vector, node, type }: LaneValue): WasmNode {
  if (!uniform) return node;
  return vector ?? (type === 'real' ? f64x2.splat(node) : i32x4.splat(node));
}
