import type { Stmt, Variable } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import { branchControl, escapeDiverges } from './control.js';
import { costOfAll, HEAVY } from './cost.js';
import { inlineHelper, setResult } from './inlineHelper.js';
import type { Lowering } from './Lowering.js';
import { declareArray, writeElement } from './localArrays.js';
import { lowerExpression } from './lowerExpression.js';
import { lowerLoop } from './lowerLoop.js';
import { v128 } from './ops.js';
import type { WasmNode } from './WasmNode.js';

/** Lowers statements up to the first that always escapes. */
export function lowerStatements(l: Lowering, list: readonly Stmt[]): void {
  for (const s of list) {
    lowerStatement(l, s);
    if (isEscape(s)) return;
  }
}

type Escape = Extract<Stmt, { kind: 'break' | 'continue' | 'return' }>;

const isEscape = (s: Stmt): s is Escape =>
  s.kind === 'break' || s.kind === 'continue' || s.kind === 'return';

function lowerStatement(l: Lowering, s: Stmt): void {
  switch (s.kind) {
    case 'declare':
      declare(l, s.variable, lowerExpression(l, s.value));
      return;
    case 'declareArray':
      declareArray(
        l,
        s.variable,
        s.elements.map((e) => lowerExpression(l, e)),
      );
      return;
    case 'assign':
      assign(l, s.variable, lowerExpression(l, s.value));
      return;
    case 'assignElement': {
      const index = lowerExpression(l, s.index);
      writeElement(l, s.variable, index, lowerExpression(l, s.value));
      return;
    }
    case 'write':
      l.env.write(s.role, s.field, s.op, lowerExpression(l, s.value), l.mask);
      return;
    case 'writeItem': {
      const index = l.safeIndex(lowerExpression(l, s.index));
      l.env.writeItem(s.role, s.field, index, s.op, lowerExpression(l, s.value), l.mask);
      return;
    }
    case 'callMany': {
      const results = inlineHelper(
        l,
        s.helper,
        s.args.map((a) => lowerExpression(l, a)),
      );
      s.targets.forEach((target, k) => {
        const value = results[k];
        if (!value) throw new Error(`helper ${s.helper.name} has fewer results than are taken`);
        if (l.frame.bindings.has(target)) assign(l, target, value);
        else declare(l, target, value);
      });
      return;
    }
    case 'if':
      lowerIf(l, s);
      return;
    case 'loop':
      lowerLoop(l, s, lowerStatements);
      return;
    case 'barrier':
      return; // lanes walk side by side, and loops end before what follows them begins
    default:
      lowerEscape(l, s);
  }
}

function declare(l: Lowering, variable: Variable, value: LaneValue): void {
  const { ops, builder, frame } = l;
  const uniform = !frame.variance.varying.has(variable);
  const local = builder.variable(
    uniform ? value.node : ops.vector(value),
    ops.localType(variable.type, uniform),
  );
  builder.called(local, variable.name);
  frame.bindings.set(variable, { kind: 'local', local, uniform, region: frame.control.region });
}

function assign(l: Lowering, variable: Variable, value: LaneValue): void {
  const { ops, builder, frame } = l;
  const binding = frame.bindings.get(variable);
  if (binding?.kind !== 'local')
    throw new Error(`variable ${variable.id} is assigned before it is declared`);
  const { local, uniform, region } = binding;
  if (uniform) {
    builder.set(local, value.node);
    return;
  }
  const vector = ops.vector(value);
  const blends = region !== frame.control.region && l.mask !== null;
  builder.set(
    local,
    blends ? ops.blend(variable.type, vector, builder.get(local), l.mask as WasmNode) : vector,
  );
}

function lowerIf(l: Lowering, s: Extract<Stmt, { kind: 'if' }>): void {
  const { builder, frame } = l;
  const condition = lowerExpression(l, s.condition);
  if (condition.uniform) {
    builder.if(
      condition.node,
      () => lowerStatements(l, s.then),
      () => lowerStatements(l, s.else),
    );
    return;
  }
  const outer = frame.control;
  const [only] = s.then;
  if (
    only &&
    s.then.length === 1 &&
    s.else.length === 0 &&
    isEscape(only) &&
    only.kind !== 'return'
  ) {
    if (leavesOneRegion(l, only)) {
      l.leave(l.regions.length - 1, builder.keep(condition.node, 'v128'));
      return;
    }
  }
  if (
    only?.kind === 'return' &&
    only.values.length === 0 &&
    s.then.length === 1 &&
    s.else.length === 0
  ) {
    if (frame.root === l.regions.length - 1) {
      l.leave(frame.root, condition.node);
      return;
    }
  }
  const mask = builder.keep(condition.node, 'v128');
  const branch = (lanes: WasmNode, list: readonly Stmt[]) => {
    frame.control = branchControl(outer, ++frame.regions);
    const emit = () => l.inRegion(lanes, () => lowerStatements(l, list));
    if (costOfAll(list) >= HEAVY) {
      const kept = builder.keep(lanes, 'v128');
      builder.if(v128.any_true(kept), () => l.inRegion(kept, () => lowerStatements(l, list)));
    } else if (list.length > 0) emit();
    frame.control = outer;
  };
  const elseLanes = l.mask ? v128.andnot(l.mask, mask) : v128.not(mask);
  const kept = s.else.length > 0 && s.then.length > 0 ? builder.keep(elseLanes, 'v128') : elseLanes;
  branch(l.masked(mask), s.then);
  branch(kept, s.else);
}

/** Does a lone `break` or `continue` under a varying `if` take lanes out of the innermost region only? */
function leavesOneRegion(l: Lowering, s: Escape): boolean {
  const { loop } = l.frame;
  const first = s.kind === 'break' ? loop?.breakFrom : loop?.continueFrom;
  return first === l.regions.length - 1;
}

/** Lanes that escape alone are switched off up to their target; when all go, it is a real jump. */
function lowerEscape(l: Lowering, s: Escape): void {
  const { builder, frame } = l;
  const parted = escapeDiverges(s.kind, frame.control);
  if (s.kind === 'return') {
    const values = s.values
      .map((value) => lowerExpression(l, value))
      .map((value) => l.ops.keep(value));
    for (const [k, value] of values.entries()) setResult(l, k, value);
    if (parted) l.leave(frame.root);
    else builder.br(frame.exit);
    return;
  }
  const { loop } = frame;
  if (!loop) throw new Error(`${s.kind} outside a loop`);
  if (parted) l.leave(s.kind === 'break' ? loop.breakFrom : loop.continueFrom);
  else builder.br(s.kind === 'break' ? loop.exit : loop.next);
}
