import type { Expression, MemberExpression, Node, Super } from 'acorn';
import type { DraftExpr, Local } from './Draft.js';
import type { Translation } from './Translation.js';
import { helperKey, resolveCallee, translateHelperCall } from './translateCall.js';
import { translateEffect } from './translateEffect.js';
import { translateExpression } from './translateExpression.js';
import { memberName } from './translateMember.js';

/** Several values at once: an array (names null) or an object. */
export interface Tuple {
  readonly names: readonly string[] | null;
  readonly values: readonly DraftExpr[];
  /** The values are fresh temporaries that are used here alone. */
  readonly fresh: readonly Local[] | null;
}

/** Would `translateTuple` find several values here? Has no effects. */
export function isTuple(t: Translation, node: Expression | Super): boolean {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return isTuple(t, node.expression);
    case 'ArrayExpression':
    case 'ObjectExpression':
      return true;
    case 'SequenceExpression':
      return isTuple(t, node.expressions.at(-1)!);
    case 'ConditionalExpression':
      return isTuple(t, node.consequent) || isTuple(t, node.alternate);
    case 'Identifier': {
      const binding = t.lookup(node.name);
      return binding?.kind === 'record' || (binding?.kind === 'local' && binding.local.size > 0);
    }
    case 'CallExpression': {
      const { callee } = node;
      let name: string | null = null;
      if (callee.type === 'MemberExpression' && callee.object.type === 'Identifier') {
        if (t.lookup(callee.object.name)?.kind === 'helpers') name = memberName(callee);
      } else if (callee.type === 'Identifier') {
        const binding = t.lookup(callee.name);
        if (binding?.kind === 'helper') name = binding.name;
      }
      const helper = name === null ? null : helperKey(t, name);
      if (helper === null) return false;
      return t.library.returnsMany(
        helper,
        node.arguments.map((argument) => kindOf(t, argument)),
      );
    }
    default:
      return false;
  }
}

function kindOf(t: Translation, node: Node) {
  if (node.type !== 'Identifier') return 'value' as const;
  const binding = t.lookup((node as Node & { name: string }).name);
  return binding?.kind === 'helpers' || binding?.kind === 'constants'
    ? binding.kind
    : ('value' as const);
}

/** Translates an expression of several values; null when it has only one. `hint` names the fresh temporaries. */
export function translateTuple(
  t: Translation,
  node: Expression,
  hint?: readonly string[],
): Tuple | null {
  if (!isTuple(t, node)) return null;
  switch (node.type) {
    case 'ParenthesizedExpression':
      return translateTuple(t, node.expression, hint);
    case 'SequenceExpression':
      for (const part of node.expressions.slice(0, -1)) translateEffect(t, part);
      return translateTuple(t, node.expressions.at(-1)!, hint);
    case 'ArrayExpression':
      return {
        names: null,
        fresh: null,
        values: t.inOrder(
          node.elements.map((element) => () => {
            if (element && element.type !== 'SpreadElement') return translateExpression(t, element);
            return t.source.fail(
              'FUNCTOR_UNSUPPORTED',
              element ?? node,
              'holes and spreads cannot be compiled',
              'write every element',
            );
          }),
        ),
      };
    case 'ObjectExpression': {
      const names: string[] = [];
      const parts = node.properties.map((property) => {
        if (
          property.type !== 'Property' ||
          property.computed ||
          property.kind !== 'init' ||
          property.key.type !== 'Identifier'
        ) {
          return t.source.fail(
            'FUNCTOR_UNSUPPORTED',
            property,
            'only plain properties can be compiled',
            'write { name: value }',
          );
        }
        names.push(property.key.name);
        return () => translateExpression(t, property.value);
      });
      return { names, fresh: null, values: t.inOrder(parts) };
    }
    case 'Identifier': {
      const binding = t.lookup(node.name);
      if (binding?.kind === 'record') {
        return {
          names: binding.names,
          fresh: null,
          values: binding.locals.map((local) => t.read(local, node)),
        };
      }
      const { local } = binding as { local: Local };
      const values = Array.from({ length: local.size }, (_, k): DraftExpr => {
        return { kind: 'element', local, index: { kind: 'number', value: k, node }, node };
      });
      return { names: null, fresh: null, values };
    }
    case 'CallExpression': {
      const callee = resolveCallee(t, node);
      if (callee.kind !== 'helper') return null;
      const { helper, args } = translateHelperCall(t, callee.name, node);
      const { names, count } = helper.shape;
      const targets = Array.from({ length: count }, (_, k) =>
        t.newLocal(names?.[k] ?? hint?.[k] ?? 't', node),
      );
      t.out.push({ kind: 'callMany', targets, helper, args, node });
      return { names, fresh: targets, values: targets.map((local) => t.read(local, node)) };
    }
    case 'ConditionalExpression':
      return conditionalTuple(t, node, hint);
    default:
      return null;
  }
}

function conditionalTuple(
  t: Translation,
  node: Extract<Expression, { type: 'ConditionalExpression' }>,
  hint?: readonly string[],
): Tuple {
  const condition = translateExpression(t, node.test);
  let a: Tuple | null = null;
  let b: Tuple | null = null;
  const first = t.collect(() => {
    a = translateTuple(t, node.consequent);
  });
  const second = t.collect(() => {
    b = translateTuple(t, node.alternate);
  });
  const [yes, no] = [a as Tuple | null, b as Tuple | null];
  const same =
    yes &&
    no &&
    yes.values.length === no.values.length &&
    (yes.names === null) === (no.names === null);
  if (!same || yes.names?.some((name) => !no.names!.includes(name))) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      node,
      'the two branches have different shapes',
      'give both the same values',
    );
  }
  const { names } = yes;
  const results = yes.values.map((_, k) =>
    t.declare(names?.[k] ?? hint?.[k] ?? 't', null, node, false),
  );
  const fill = (effects: typeof first, tuple: Tuple) =>
    t.collect(() => {
      t.out.push(...effects);
      results.forEach((local, k) => {
        const from = names && tuple.names ? tuple.names.indexOf(names[k]!) : k;
        t.assign(local, tuple.values[from]!, node);
      });
    });
  t.out.push({ kind: 'if', condition, then: fill(first, yes), else: fill(second, no), node });
  return { names, fresh: results, values: results.map((local) => t.read(local, node)) };
}

/** The local that `record.name` stands for, if that is what the node is. */
export function recordMember(t: Translation, node: MemberExpression): Local | null {
  if (node.object.type !== 'Identifier') return null;
  const binding = t.lookup(node.object.name);
  if (binding?.kind !== 'record') return null;
  const name = memberName(node) ?? '';
  const k = binding.names.indexOf(name);
  if (k >= 0) return binding.locals[k]!;
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${t.source.quote(node)}' does not exist (known here: ${binding.names.join(', ')})`,
    'correct the name',
  );
}

/** `record.name`, `h.f(x).name`, `h.f(x)[1]`; null for anything else. */
export function memberOfTuple(t: Translation, node: MemberExpression): DraftExpr | null {
  const local = recordMember(t, node);
  if (local) return t.read(local, node);
  if (node.object.type === 'Identifier' || node.object.type === 'Super') return null;
  const tuple = translateTuple(t, node.object);
  if (!tuple) return null;
  const name = memberName(node);
  const { property } = node;
  let k = -1;
  if (tuple.names && name !== null) k = tuple.names.indexOf(name);
  else if (!tuple.names && node.computed && property.type === 'Literal') k = Number(property.value);
  const value = tuple.values[k];
  if (value) return value;
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${t.source.quote(node)}' does not exist`,
    tuple.names
      ? `the values are ${tuple.names.join(', ')}`
      : `use an index from 0 to ${tuple.values.length - 1}`,
  );
}
