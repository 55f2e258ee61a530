import type { Expr, HelperIR, Stmt, Variable } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import type { Binding, Lowering } from './Lowering.js';
import { i32, i32x4, select, v128 } from './ops.js';
import type { WasmNode, WasmType } from './WasmNode.js';

/** Arrays of up to this many elements stay in locals: a chain of selections is as fast as memory. */
const IN_LOCALS = 4;
const STRIDE = 16;

/**
 * Local arrays of fixed size. Short ones, and all when there is no scratch memory, have a local for each element; the others lie in
 * scratch memory, 16 bytes an element (all lanes of it). Reading past the end gives some element, writing past it is lost or hits
 * the last element: it never leaves the array.
 */
export function declareArray(l: Lowering, variable: Variable, values: readonly LaneValue[]): void {
  const { ops, builder, frame } = l;
  const uniform = !frame.variance.varying.has(variable);
  const type = ops.localType(variable.type, uniform);
  const region = frame.control.region;
  const nodes = Array.from({ length: variable.size }, (_, k) => {
    const value = values[k] ?? ops.uniform(variable.type, zero(ops.scalarType(variable.type)));
    return builder.keep(uniform ? value.node : ops.vector(value), type);
  });
  if (!l.scratch || variable.size <= IN_LOCALS) {
    const place = nodes.map((node) => builder.variable(node, type));
    frame.bindings.set(variable, { kind: 'array', place, uniform, region });
    return;
  }
  const address = builder.keep(i32.add(l.scratch, i32.const(l.scratchUsed)), 'i32');
  l.scratchUsed += STRIDE * variable.size;
  nodes.forEach((node, k) => {
    builder.emit([`${type}.store`, STRIDE * k, address, node]);
  });
  frame.bindings.set(variable, { kind: 'array', place: address, uniform, region });
}

const zero = (type: WasmType): WasmNode => [`${type}.const`, 0];

type ArrayBinding = Extract<Binding, { kind: 'array' }>;

function arrayOf(l: Lowering, variable: Variable): ArrayBinding {
  const binding = l.frame.bindings.get(variable);
  if (binding?.kind !== 'array')
    throw new Error(`array ${variable.id} is used before it is declared`);
  return binding;
}

const inLocals = (place: ArrayBinding['place']): place is readonly number[] =>
  typeof place[0] === 'number';

export function readElement(l: Lowering, variable: Variable, index: LaneValue): LaneValue {
  const { ops, builder } = l;
  const { place, uniform } = arrayOf(l, variable);
  const type = ops.localType(variable.type, uniform);
  const value = (node: WasmNode, same = uniform): LaneValue => ({
    uniform: same,
    type: variable.type,
    node,
  });
  const known = index.node[0] === 'i32.const' ? (index.node[1] as number) : null;
  if (inLocals(place)) {
    if (known !== null)
      return value(builder.keep(builder.get(place[clamp(known, variable)] as number), type));
    const at = ops.keep(index);
    const elements = place.map((local) => builder.get(local));
    const last = elements.at(-1) as WasmNode;
    if (index.uniform) {
      const pick = (rest: WasmNode, e: WasmNode, k: number) =>
        select(i32.eq(at.node, i32.const(k)), e, rest);
      return value(builder.keep(elements.slice(0, -1).reduce(pick, last), type));
    }
    const vectors = elements.map((node) => ops.vector(value(node)));
    const pick = (rest: WasmNode, e: WasmNode, k: number) =>
      v128.bitselect(e, rest, elementMask(l, variable, at.node, k));
    return value(
      builder.keep(vectors.slice(0, -1).reduce(pick, vectors.at(-1) as WasmNode), 'v128'),
      false,
    );
  }
  if (index.uniform)
    return value(
      builder.keep([`${type}.load`, 0, addressOf(l, place, variable, index.node)], type),
    );
  const lanes = builder.keep(index.node, 'v128');
  let result: WasmNode = ops.none;
  for (let k = 0; k < ops.lanes; k++) {
    const address = addressOf(l, place, variable, i32x4.extract(k, lanes));
    const scalar = ops.scalarType(variable.type);
    if (uniform) {
      result = ops.replace(variable.type, k, result, [`${scalar}.load`, 0, address]);
    } else result = builder.keep(copyLane(l, variable, k, address, result), 'v128');
  }
  if (uniform && variable.type === 'bool') {
    // Scalars 0 and 1 in i32 lanes to masks.
    result = ops.realMask(i32x4.ne(result, i32x4.const(0)));
  }
  return value(builder.keep(result, 'v128'), false);
}

/** Lane `k` of the vector at an address, put into lane `k` of another. */
function copyLane(
  l: Lowering,
  variable: Variable,
  k: number,
  address: WasmNode,
  into: WasmNode,
): WasmNode {
  const wide = l.ops.real === 'f64' && (variable.type === 'real' || variable.type === 'bool');
  return wide ? v128.load64Lane(k, address, into, 8 * k) : v128.load32Lane(k, address, into, 4 * k);
}

export function writeElement(
  l: Lowering,
  variable: Variable,
  index: LaneValue,
  value: LaneValue,
): void {
  const { ops, builder, frame } = l;
  const { place, uniform, region } = arrayOf(l, variable);
  const type = ops.localType(variable.type, uniform);
  const node = builder.keep(uniform ? value.node : ops.vector(value), type);
  const mask = region !== frame.control.region || !index.uniform ? l.mask : null;
  const blended = (old: WasmNode, lanes: WasmNode | null) =>
    lanes && !uniform ? ops.blend(variable.type, node, old, lanes) : node;
  const known = index.node[0] === 'i32.const' ? (index.node[1] as number) : null;
  if (inLocals(place)) {
    if (known !== null) {
      const local = place[clamp(known, variable)] as number;
      builder.set(local, blended(builder.get(local), mask));
      return;
    }
    const at = ops.keep(index);
    place.forEach((local, k) => {
      const old = builder.get(local);
      if (index.uniform) {
        builder.set(local, select(i32.eq(at.node, i32.const(k)), blended(old, mask), old));
        return;
      }
      const here = elementMask(l, variable, at.node, k);
      const lanes = mask ? v128.and(here, ops.maskFor(variable.type, mask)) : here;
      builder.set(local, v128.bitselect(node, old, lanes));
    });
    return;
  }
  if (index.uniform) {
    const address = builder.keep(addressOf(l, place, variable, index.node), 'i32');
    builder.emit([`${type}.store`, 0, address, blended([`${type}.load`, 0, address], mask)]);
    return;
  }
  const lanes = builder.keep(index.node, 'v128');
  const wide = ops.real === 'f64' && (variable.type === 'real' || variable.type === 'bool');
  for (let k = 0; k < ops.lanes; k++) {
    const store = () => {
      const address = addressOf(l, place, variable, i32x4.extract(k, lanes));
      builder.emit(
        wide
          ? v128.store64Lane(k, address, node, 8 * k)
          : v128.store32Lane(k, address, node, 4 * k),
      );
    };
    if (mask) builder.if(ops.extract('bool', k, mask), store);
    else store();
  }
}

/** Where a varying index equals `k`, as wide as the element's type asks. */
function elementMask(l: Lowering, variable: Variable, index: WasmNode, k: number): WasmNode {
  const equal = i32x4.eq(index, i32x4.const(k));
  return variable.type === 'real' || variable.type === 'bool' ? l.ops.realMask(equal) : equal;
}

const clamp = (k: number, variable: Variable) => Math.min(k >>> 0, variable.size - 1);

function addressOf(l: Lowering, base: WasmNode, variable: Variable, index: WasmNode): WasmNode {
  const at = l.builder.keep(index, 'i32');
  const last = i32.const(variable.size - 1);
  return i32.add(base, i32.mul(select(i32.lt_u(at, last), at, last), i32.const(STRIDE)));
}

/**
 * Bytes of scratch memory that a body's local arrays may take (for {@link LowerOptions.scratch}); 0 when it needs none.
 * Each inlined call of a helper has its own.
 */
export function scratchBytes(body: readonly Stmt[]): number {
  const ofExpression = (e: Expr): number => {
    const children: readonly Expr[] =
      e.kind === 'call' || e.kind === 'math'
        ? e.args
        : e.kind === 'unary' || e.kind === 'cast'
          ? [e.operand]
          : e.kind === 'select'
            ? [e.condition, e.then, e.else]
            : e.kind === 'element' || e.kind === 'item'
              ? [e.index]
              : 'left' in e
                ? [e.left, e.right]
                : [];
    return sum(children) + (e.kind === 'call' ? ofHelper(e.helper) : 0);
  };
  const sum = (list: readonly Expr[]): number =>
    list.reduce((total, e) => total + ofExpression(e), 0);
  const ofHelper = (helper: HelperIR): number => scratchBytes(helper.body);
  return body.reduce((total, s): number => {
    switch (s.kind) {
      case 'declareArray':
        return (
          total + sum(s.elements) + (s.variable.size > IN_LOCALS ? STRIDE * s.variable.size : 0)
        );
      case 'declare':
      case 'assign':
      case 'write':
        return total + ofExpression(s.value);
      case 'assignElement':
      case 'writeItem':
        return total + ofExpression(s.index) + ofExpression(s.value);
      case 'if':
        return total + ofExpression(s.condition) + scratchBytes(s.then) + scratchBytes(s.else);
      case 'loop':
        return total + ofExpression(s.condition) + scratchBytes(s.body) + scratchBytes(s.update);
      case 'return':
        return total + sum(s.values);
      case 'callMany':
        return total + sum(s.args) + ofHelper(s.helper);
      default:
        return total;
    }
  }, 0);
}
