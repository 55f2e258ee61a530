import type { Expression, Node, SequenceExpression, Super } from 'acorn';
import type { DraftExpr, Local } from './Draft.js';
import type { Translation } from './Translation.js';
import { translateEffect } from './translateEffect.js';
import { translateExpression } from './translateExpression.js';
import { memberName } from './translateMember.js';
import type { Tuple } from './translateTuple.js';

/** Larger local arrays belong into a table parameter. */
const maximumArray = 256;

export function declareArray(
  t: Translation,
  name: string,
  elements: readonly DraftExpr[],
  node: Node,
): Local {
  if (elements.length === 0 || elements.length > maximumArray) {
    t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `a local array of ${elements.length} elements cannot be compiled`,
      `use 1 to ${maximumArray} elements, or a table parameter`,
    );
  }
  const local = t.newLocal(name, node, { size: elements.length, constant: true });
  local.assigned.push(...elements);
  t.out.push({ kind: 'declareArray', local, elements, node });
  return local;
}

const typedArrays: Readonly<Record<string, 'real' | 'i32' | 'u32'>> = {
  Float64Array: 'real',
  Int32Array: 'i32',
  Uint32Array: 'u32',
};

/** `new Array(n).fill(x)`, `Array(n).fill(x)`, `new Float64Array(n)`: n must be known when the functor is defined. */
export function filledArray(t: Translation, init: Expression): Tuple | null {
  // Minifiers move effects in front of a value: `(a, [,,,].fill(x))`.
  if (init.type === 'SequenceExpression') return filledLast(t, init);
  if (
    init.type === 'NewExpression' &&
    init.callee.type === 'Identifier' &&
    !t.lookup(init.callee.name)
  ) {
    const type = typedArrays[init.callee.name];
    if (!type) return null;
    const zero: DraftExpr = {
      kind: 'cast',
      to: type,
      operand: { kind: 'number', value: 0, node: init },
      node: init,
    };
    return repeated(t, init.arguments as Expression[], zero, init);
  }
  if (init.type !== 'CallExpression' || init.callee.type !== 'MemberExpression') return null;
  const { object } = init.callee;
  if (memberName(init.callee) !== 'fill' || init.arguments.length !== 1) return null;
  const sizes = sizeOfArray(object);
  if (!sizes) return null;
  const value = translateExpression(t, init.arguments[0] as Expression);
  const saved = value.kind === 'number' ? value : t.read(t.declare('t', value, init, true), init);
  if (typeof sizes !== 'number') return repeated(t, sizes, saved, object);
  return { names: null, fresh: null, values: new Array<DraftExpr>(sizes).fill(saved) };
}

function filledLast(t: Translation, { expressions }: SequenceExpression): Tuple | null {
  const last = expressions.at(-1)!;
  if (!isFilledArray(t, last)) return null;
  for (const part of expressions.slice(0, -1)) translateEffect(t, part);
  return filledArray(t, last);
}

function isFilledArray(t: Translation, node: Expression): boolean {
  if (node.type === 'NewExpression') {
    const { callee } = node;
    return callee.type === 'Identifier' && !t.lookup(callee.name) && callee.name in typedArrays;
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return memberName(node.callee) === 'fill' && sizeOfArray(node.callee.object) !== null;
}

/** Arguments of `Array(n)` and `new Array(n)`, or the length of `[,,,]`, which minifiers write instead. */
function sizeOfArray(node: Expression | Super): readonly Expression[] | number | null {
  if (node.type === 'ArrayExpression') return node.elements.length;
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return null;
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'Array') return null;
  return node.arguments as Expression[];
}

function repeated(
  t: Translation,
  sizes: readonly Expression[],
  value: DraftExpr,
  node: Node,
): Tuple {
  const size = sizes.length === 1 ? translateExpression(t, sizes[0]!) : null;
  if (size?.kind !== 'number' || !Number.isInteger(size.value) || size.value < 1) {
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      'the size of a local array must be a known integer',
      'write a number or a constant (c.name)',
    );
  }
  return {
    names: null,
    fresh: null,
    values: new Array<DraftExpr>(Math.min(size.value, maximumArray + 1)).fill(value),
  };
}
