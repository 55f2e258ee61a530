import type { AssignmentExpression, Expression, Node, Pattern, UpdateExpression } from 'acorn';
import type { RoleField, RoleName } from '../ir.js';
import { assignable, assignResult, isFreeResult, sumOf } from './assignResult.js';
import { writesOutside } from './conflicts.js';
import type { DraftExpr, Target } from './Draft.js';
import { refuseOuter } from './outerNames.js';
import type { Translation } from './Translation.js';
import { combine, translateExpression } from './translateExpression.js';
import {
  failBin,
  failScatter,
  fieldInfo,
  indexed,
  memberName,
  readField,
  readItem,
} from './translateMember.js';
import { recordMember, translateTuple } from './translateTuple.js';

/** `target op= value` as a statement; returns the target (null for a destructuring) for reading it back. */
export function assignNode(t: Translation, node: AssignmentExpression): Target | null {
  const { left, operator } = node;
  if (left.type === 'ArrayPattern' || left.type === 'ObjectPattern') {
    destructure(t, left, node.right, node);
    return null;
  }
  if (operator === '&&=' || operator === '||=' || operator === '??=') {
    t.source.fail('FUNCTOR_UNSUPPORTED', node, `'${operator}' cannot be compiled`, 'write an if');
  }
  const target = resolveTarget(t, left);
  const op = operator.slice(0, -1);
  if (target.kind === 'field' && target.role === 'acc' && !isFreeResult(t, target.field)) {
    assignResult(t, target, op, node);
    return target;
  }
  if (op !== '' || target.kind !== 'field') {
    store(t, target, op, () => translateExpression(t, node.right), node);
    return target;
  }
  // `i.fx = i.fx + e` is `i.fx += e`, and then lanes may run across neighbors.
  const sum = sumOf(t, target, node.right);
  if (sum) store(t, target, sum.op, () => translateExpression(t, sum.value), node);
  else store(t, target, '', () => translateExpression(t, node.right), node);
  return target;
}

/** `++` and `--` as a statement; returns the target for reading it back. */
export function updateNode(t: Translation, node: UpdateExpression): Target {
  const target = resolveTarget(t, node.argument as Pattern);
  if (target.kind === 'field' && target.role === 'acc' && !isFreeResult(t, target.field)) {
    assignable(t, target, 'sum', node);
  }
  store(t, target, node.operator[0]!, () => ({ kind: 'number', value: 1, node }), node);
  return target;
}

export function assignAndRead(t: Translation, node: AssignmentExpression): DraftExpr {
  const target = assignNode(t, node);
  if (target) return readTarget(t, target, node);
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    'a destructuring assignment has no value here',
    'make it a statement',
  );
}

export function updateAndRead(t: Translation, node: UpdateExpression): DraftExpr {
  if (node.prefix) return readTarget(t, updateNode(t, node), node);
  const target = resolveTarget(t, node.argument as Pattern);
  const saved = t.declare('t', readTarget(t, target, node), node, true);
  store(t, target, node.operator[0]!, () => ({ kind: 'number', value: 1, node }), node);
  return t.read(saved, node);
}

function resolveTarget(t: Translation, node: Pattern | Expression): Target {
  if (node.type === 'Identifier') {
    const binding = t.lookup(node.name);
    if (binding?.kind === 'local' && binding.local.size === 0) {
      if (binding.local.constant) {
        t.source.fail('FUNCTOR_TYPE', node, `'${node.name}' is a const`, 'declare it with let');
      }
      return { kind: 'local', local: binding.local };
    }
    if (binding?.kind === 'field') {
      return t.source.fail(
        'FUNCTOR_TYPE',
        node,
        `'${node.name}' was taken out of an argument, so a write would be lost`,
        'write to the argument itself, i.name',
      );
    }
    return t.source.fail(
      binding ? 'FUNCTOR_TYPE' : 'FUNCTOR_NAME',
      node,
      binding ? `'${node.name}' cannot be assigned as a whole` : `'${node.name}' is not declared`,
      binding
        ? 'assign its fields or elements'
        : 'declare it with let; functors cannot change outer variables',
    );
  }
  if (node.type === 'MemberExpression') {
    const item = indexed(t, node);
    if (item?.kind === 'element') return { kind: 'element', local: item.local, index: item.index };
    if (item) {
      const { role, field, info, index } = item;
      requireWritable(t, role, field, info, node);
      return { kind: 'item', role, field, info, index };
    }
    const name = memberName(node);
    const binding = node.object.type === 'Identifier' ? t.lookup(node.object.name) : undefined;
    if (name !== null && binding?.kind === 'role') {
      const info = fieldInfo(t, binding.role, name, node);
      requireWritable(t, binding.role, name, info, node);
      if (info.array) {
        t.source.fail(
          'FUNCTOR_TYPE',
          node,
          `'${name}' is an array`,
          `write one element, ${name}[k] = …`,
        );
      }
      return { kind: 'field', role: binding.role, field: name, info };
    }
    if (binding?.kind === 'constants' || binding?.kind === 'helpers') {
      t.source.fail(
        'FUNCTOR_TYPE',
        node,
        `'${t.source.quote(node)}' is read-only`,
        'keep changing values in a variable',
      );
    }
    const member = recordMember(t, node);
    if (member) return { kind: 'local', local: member };
    refuseOuter(t, node);
  }
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `'${t.source.quote(node)}' cannot be assigned`,
    'assign variables, fields of the arguments and elements of arrays',
  );
}

function requireWritable(
  t: Translation,
  role: RoleName,
  field: string,
  info: RoleField,
  node: Node,
): void {
  if (info.writable) return;
  const remedy: Partial<Record<RoleName, string>> = {
    i: 'declare it among the written fields (central, fields) instead of `read`',
    j: 'a neighbor is read-only: with the trait newton3 it receives its share from the outputs of i',
    p: 'parameters are read-only: use a variable',
    a: 'declare it in `arrays` instead of `read`',
    b: 'a block is where it is',
    n: 'declare what neighbors receive in `scatter`, and values of your own in `work`',
  };
  t.source.fail(
    'FUNCTOR_TYPE',
    node,
    `'${field}' is read-only here`,
    remedy[role] ?? 'use a variable',
  );
}

function readTarget(t: Translation, target: Target, node: Node): DraftExpr {
  switch (target.kind) {
    case 'local':
      return t.read(target.local, node);
    case 'element':
      return { ...target, node };
    case 'field':
      return readField(t, target.role, target.field, node);
    case 'item':
      return readItem(t, { ...target, node }, node);
  }
}

/** Stores `target op value` (`op` empty: plain assignment). The old value is read before `value` has its effects. */
export function store(
  t: Translation,
  target: Target,
  op: string,
  value: () => DraftExpr,
  node: Node,
): void {
  const keepsOp =
    (target.kind === 'field' || target.kind === 'item') && (op === '' || op === '+' || op === '-');
  if (target.kind === 'item' && target.info.collects && op === '')
    failScatter(t, target.field, node);
  if (target.kind === 'item' && target.role === 'acc' && op !== '+' && op !== '-')
    failBin(t, target.field, node);
  if (keepsOp) {
    const mark = t.out.length;
    const right = value();
    if (op === '' || !writesOutside(t.out.slice(mark))) {
      const writeOp = `${op}=` as '=' | '+=' | '-=';
      if (target.kind === 'field')
        t.out.push({ ...target, kind: 'write', op: writeOp, value: right, node });
      else t.out.push({ ...target, kind: 'writeItem', op: writeOp, value: right, node });
      return;
    }
    t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      'the added value itself writes a field',
      'make the inner assignment a statement of its own',
    );
  }
  const parts = op === '' ? [value] : [() => readTarget(t, target, node), value];
  const values = t.inOrder(parts);
  const result = op === '' ? values[0]! : combine(t, op, values[0]!, values[1]!, node);
  switch (target.kind) {
    case 'local':
      t.assign(target.local, result, node);
      return;
    case 'element':
      target.local.assigned.push(result);
      t.out.push({
        kind: 'assignElement',
        local: target.local,
        index: target.index,
        value: result,
        node,
      });
      return;
    case 'field':
      t.out.push({ ...target, kind: 'write', op: '=', value: result, node });
      return;
    case 'item':
      t.out.push({ ...target, kind: 'writeItem', op: '=', value: result, node });
      return;
  }
}

/** `[a, b] = h.f(x)`, `[a, b] = [b, a]`, `({ a, b } = h.f(x))`. */
function destructure(t: Translation, pattern: Pattern, right: Expression, node: Node): void {
  const tuple = translateTuple(t, right);
  if (!tuple) {
    t.source.fail(
      'FUNCTOR_TYPE',
      right,
      'the right side is a single value',
      'assign it to one variable',
    );
  }
  const saved = tuple.values.map((value) => t.read(t.declare('t', value, node, true), node));
  const pairs: [Pattern, DraftExpr][] = [];
  if (pattern.type === 'ArrayPattern' && tuple.names === null) {
    pattern.elements.forEach((element, k) => {
      if (!element) return;
      const value = saved[k];
      if (!value)
        t.source.fail(
          'FUNCTOR_TYPE',
          element,
          `there are only ${saved.length} values`,
          'drop this target',
        );
      pairs.push([element, value]);
    });
  } else if (pattern.type === 'ObjectPattern' && tuple.names !== null) {
    for (const property of pattern.properties) {
      const key =
        property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '';
      const value = saved[tuple.names.indexOf(key)];
      if (property.type !== 'Property' || !value) {
        t.source.fail(
          'FUNCTOR_NAME',
          property,
          `'${t.source.quote(property)}' is not among the values (${tuple.names.join(', ')})`,
          'correct the name',
        );
      }
      pairs.push([property.value, value]);
    }
  } else {
    t.source.fail(
      'FUNCTOR_TYPE',
      pattern,
      'the two sides have different shapes',
      'use [ ] with arrays and { } with objects',
    );
  }
  for (const [target, value] of pairs) store(t, resolveTarget(t, target), '', () => value, node);
}
