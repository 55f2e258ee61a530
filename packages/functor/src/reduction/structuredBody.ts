import type { Expr, Stmt, Variable } from '../ir.js';
import { mapOperands, mapStatement } from '../passes/walk.js';
import type { ResultSlot } from './resultSlots.js';

const integer = (value: number): Expr => ({ kind: 'number', type: 'u32', value });
const real = (role: 'acc' | 'j', index: Expr): Expr => ({
  kind: 'item',
  type: 'real',
  role,
  field: 'reals',
  index,
});
const id = (role: 'acc' | 'j', index: number): Expr => ({
  kind: 'item',
  type: 'u32',
  role,
  field: 'ids',
  index: integer(index),
});
/** Sums are spelled out: back ends need to know assignments only. */
function setReal(index: Expr, value: Expr, op: '=' | '+=' | '-=' = '='): Stmt {
  const sum: Expr = {
    kind: 'binary',
    type: 'real',
    op: op === '-=' ? '-' : '+',
    left: real('acc', index),
    right: value,
  };
  const result = op === '=' ? value : sum;
  return { kind: 'writeItem', role: 'acc', field: 'reals', index, op: '=', value: result };
}
const compare = (op: '<' | '>' | '==' | '>=', left: Expr, right: Expr): Expr => ({
  kind: 'compare',
  type: 'bool',
  op,
  left,
  right,
});
const logic = (op: '&&' | '||', left: Expr, right: Expr): Expr => ({
  kind: 'logic',
  type: 'bool',
  op,
  left,
  right,
});
const read = (variable: Variable): Expr => ({ kind: 'variable', type: variable.type, variable });

/** Fresh variables; user code numbers its own from 0. */
let next = 0;
function fresh(name: string, type: Variable['type']): Variable {
  return { id: `${name}_${1_000_000 + next++}`, name, type, size: 0 };
}

/**
 * Rewrites accesses to results into accesses to the record of the reduction, so that back ends see two arrays and nothing
 * else: `acc.reals[k]` and `acc.ids[k]` (in a combine function also `j.reals`, `j.ids`, the record that is joined).
 * What a functor adds to a bin that does not exist is left out.
 */
export function structuredBody(
  body: readonly Stmt[],
  slots: readonly ResultSlot[],
): readonly Stmt[] {
  const slotOf = new Map(slots.map((slot) => [slot.name, slot]));
  const expression = (e: Expr): Expr => {
    const inner = mapOperands(e, expression);
    if (inner.kind !== 'field' && inner.kind !== 'item') return inner;
    if (inner.role !== 'acc' && inner.role !== 'j') return inner;
    const { offset, length } = slotOf.get(inner.field)!;
    if (inner.kind === 'field') return real(inner.role, integer(offset));
    return real(inner.role, shifted(clamped(inner.index, length), offset));
  };
  const list = (statements: readonly Stmt[]): Stmt[] => statements.flatMap(statement);
  const statement = (s: Stmt): Stmt[] => {
    const inner = mapStatement(s, expression, list);
    if (inner.kind === 'write' && inner.role === 'acc') {
      return writeResult(slotOf.get(inner.field)!, inner);
    }
    if (inner.kind === 'writeItem' && inner.role === 'acc') {
      const { offset, length } = slotOf.get(inner.field)!;
      const k = fresh('bin', inner.index.type);
      const exists = logic(
        '&&',
        compare('>=', read(k), { kind: 'number', type: k.type as 'i32', value: 0 }),
        compare('<', read(k), { kind: 'number', type: k.type as 'i32', value: length }),
      );
      const write = setReal(shifted(read(k), offset), inner.value, inner.op);
      return [
        { kind: 'declare', variable: k, value: inner.index },
        { kind: 'if', condition: exists, then: [write], else: [] },
      ];
    }
    return [inner];
  };
  return list(body);
}

function writeResult(slot: ResultSlot, s: Extract<Stmt, { kind: 'write' }>): Stmt[] {
  const at = integer(slot.offset);
  if (s.op === '=' || s.op === '+=' || s.op === '-=') return [setReal(at, s.value, s.op)];
  const old = real('acc', at);
  if (slot.id < 0) {
    return [setReal(at, { kind: 'math', type: 'real', name: s.op, args: [old, s.value] })];
  }
  const value = fresh('found', 'real');
  const own: Expr = { kind: 'field', type: 'u32', role: 'i', field: 'id' };
  return [
    { kind: 'declare', variable: value, value: s.value },
    takeExtreme(slot, read(value), own),
  ];
}

/** Takes an extreme that beats the one there is; of equals the one with the smaller id. */
function takeExtreme(slot: ResultSlot, value: Expr, who: Expr): Stmt {
  const old = real('acc', integer(slot.offset));
  const better = compare(slot.op === 'argmax' ? '>' : '<', value, old);
  const same = logic('&&', compare('==', value, old), compare('<', who, id('acc', slot.id)));
  const index = integer(slot.id);
  return {
    kind: 'if',
    condition: logic('||', better, same),
    then: [
      setReal(integer(slot.offset), value),
      { kind: 'writeItem', role: 'acc', field: 'ids', index, op: '=', value: who },
    ],
    else: [],
  };
}

/** Statements that join the record `j` to the record `acc`, results declared `real` excepted. */
export function combineBody(slots: readonly ResultSlot[]): Stmt[] {
  return slots.flatMap((slot): Stmt[] => {
    const at = integer(slot.offset);
    if (slot.op === 'real') return [];
    if (slot.id >= 0) return [takeExtreme(slot, real('j', at), id('j', slot.id))];
    if (slot.op !== 'sum') {
      const args = [real('acc', at), real('j', at)];
      return [setReal(at, { kind: 'math', type: 'real', name: slot.op as 'max' | 'min', args })];
    }
    if (slot.length === 0) return [setReal(at, real('j', at), '+=')];
    const k = fresh('bin', 'u32');
    const next: Expr = { kind: 'binary', type: 'u32', op: '+', left: read(k), right: integer(1) };
    return [
      { kind: 'declare', variable: k, value: at },
      {
        kind: 'loop',
        condition: compare('<', read(k), integer(slot.offset + slot.length)),
        update: [{ kind: 'assign', variable: k, value: next }],
        body: [setReal(read(k), real('j', read(k)), '+=')],
      },
    ];
  });
}

/** An index that cannot leave an array of so many elements. */
function clamped(index: Expr, length: number): Expr {
  if (index.kind === 'number') return index;
  const type = index.type as 'i32' | 'u32';
  const bound = (value: number): Expr => ({ kind: 'number', type, value });
  const low: Expr = { kind: 'math', type, name: 'max', args: [index, bound(0)] };
  return { kind: 'math', type, name: 'min', args: [low, bound(length - 1)] };
}

function shifted(index: Expr, offset: number): Expr {
  if (offset === 0) return index;
  const type = index.type as 'i32' | 'u32';
  return {
    kind: 'binary',
    type,
    op: '+',
    left: index,
    right: { kind: 'number', type, value: offset },
  };
}
