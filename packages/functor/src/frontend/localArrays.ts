import type { Expression, Node, Super } from 'acorn';
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

/** What makes an array of equal elements. */
type Filling =
  | { readonly zero: 'real' | 'i32' | 'u32'; readonly sizes: readonly Expression[] }
  | {
      readonly zero: null;
      readonly element: Expression;
      readonly sizes: readonly Expression[] | number;
      readonly object: Node;
    };

/** `new Array(n).fill(x)`, `Array(n).fill(x)`, `new Float64Array(n)`: n must be known when the functor is defined. */
export function filledArray(t: Translation, init: Expression): Tuple | null {
  // Minifiers move effects in front of a value: `(a, [,,,].fill(x))`.
  const parts = init.type === 'SequenceExpression' ? init.expressions : [init];
  const node = parts.at(-1)!;
  const filling = fillingOf(t, node);
  if (!filling) return null;
  for (const part of parts.slice(0, -1)) translateEffect(t, part);
  const { zero, sizes } = filling;
  if (zero) {
    const operand = { kind: 'number', value: 0, node } as const;
    return repeated(t, sizes, { kind: 'cast', to: zero, operand, node }, node);
  }
  const value = translateExpression(t, filling.element);
  const saved = value.kind === 'number' ? value : t.read(t.declare('t', value, node, true), node);
  if (typeof sizes !== 'number') return repeated(t, sizes, saved, filling.object);
  return { names: null, fresh: null, values: new Array<DraftExpr>(sizes).fill(saved) };
}

function fillingOf(t: Translation, node: Expression): Filling | null {
  if (node.type === 'NewExpression') {
    const { callee } = node;
    if (callee.type !== 'Identifier' || t.lookup(callee.name)) return null;
    const zero = typedArrays[callee.name];
    return zero ? { zero, sizes: node.arguments as Expression[] } : null;
  }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null;
  if (memberName(node.callee) !== 'fill' || node.arguments.length !== 1) return null;
  const { object } = node.callee;
  const sizes = sizeOfArray(object);
  return sizes === null
    ? null
    : { zero: null, element: node.arguments[0] as Expression, sizes, object };
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
