import type { Expression, Node, Pattern, VariableDeclaration, VariableDeclarator } from 'acorn';
import type { DraftExpr } from './Draft.js';
import { declareArray, filledArray } from './localArrays.js';
import type { Translation } from './Translation.js';
import { translateExpression } from './translateExpression.js';
import { fieldInfo, memberName, readField } from './translateMember.js';
import { type Tuple, translateTuple } from './translateTuple.js';

export function translateDeclaration(t: Translation, node: VariableDeclaration): void {
  if (node.kind !== 'const' && node.kind !== 'let' && node.kind !== 'var') {
    t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `'${node.kind}' cannot be compiled`,
      'use let or const',
    );
  }
  for (const declarator of node.declarations)
    declareOne(t, declarator, node.kind === 'const', node.kind === 'var');
}

function declareOne(
  t: Translation,
  node: VariableDeclarator,
  constant: boolean,
  isVar: boolean,
): void {
  const { id, init } = node;
  if (id.type === 'Identifier') {
    declareName(t, id.name, init ?? null, id, constant, isVar);
    return;
  }
  if (!init)
    t.source.fail('FUNCTOR_SYNTAX', id, 'a destructuring declaration needs a value', 'add = …');
  if (id.type === 'ObjectPattern') {
    const binding = init.type === 'Identifier' ? t.lookup(init.name) : undefined;
    if (binding && binding.kind !== 'record' && binding.kind !== 'local') {
      bindPattern(t, id, init.type === 'Identifier' ? init.name : '', true);
      return;
    }
    const names = propertyNames(t, id);
    const tuple = requireTuple(
      t,
      init,
      names.map(([, local]) => local),
    );
    if (!tuple.names)
      t.source.fail('FUNCTOR_TYPE', id, 'the value is an array', 'take it apart with [ ]');
    for (const [key, name, at] of names) {
      const k = tuple.names.indexOf(key);
      if (k < 0) {
        t.source.fail(
          'FUNCTOR_NAME',
          at,
          `'${key}' is not among the values (${tuple.names.join(', ')})`,
          'correct the name',
        );
      }
      bindValue(t, name, tuple, k, at, constant, isVar);
    }
    return;
  }
  if (id.type === 'ArrayPattern') {
    const names = id.elements.map((element) =>
      element?.type === 'Identifier' ? element.name : 't',
    );
    const tuple = requireTuple(t, init, names);
    if (tuple.names)
      t.source.fail('FUNCTOR_TYPE', id, 'the value is an object', 'take it apart with { }');
    id.elements.forEach((element, k) => {
      if (!element) return;
      if (element.type !== 'Identifier') failPattern(t, element);
      if (k >= tuple.values.length) {
        t.source.fail(
          'FUNCTOR_TYPE',
          element,
          `there are only ${tuple.values.length} values`,
          'drop this name',
        );
      }
      bindValue(t, (element as { name: string }).name, tuple, k, element, constant, isVar);
    });
    return;
  }
  failPattern(t, id);
}

function failPattern(t: Translation, node: Node): never {
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `the pattern '${t.source.quote(node)}' cannot be compiled`,
    'use plain names without defaults',
  );
}

function requireTuple(t: Translation, init: Expression, hint: readonly string[]): Tuple {
  const tuple = translateTuple(t, init, hint);
  if (tuple) return tuple;
  return t.source.fail('FUNCTOR_TYPE', init, 'this is a single value', 'give it one name');
}

function bindValue(
  t: Translation,
  name: string,
  tuple: Tuple,
  k: number,
  node: Node,
  constant: boolean,
  isVar: boolean,
): void {
  const fresh = tuple.fresh?.[k];
  if (fresh && constant) t.bind(name, { kind: 'local', local: fresh });
  else bindLocal(t, name, tuple.values[k]!, node, constant, isVar);
}

function bindLocal(
  t: Translation,
  name: string,
  value: DraftExpr | null,
  node: Node,
  constant: boolean,
  isVar: boolean,
): void {
  const hoisted = isVar ? t.lookup(name) : undefined;
  if (hoisted?.kind === 'local') {
    if (value) t.assign(hoisted.local, value, node);
    return;
  }
  t.bind(name, { kind: 'local', local: t.declare(name, value, node, constant) });
}

function declareName(
  t: Translation,
  name: string,
  init: Expression | null,
  node: Node,
  constant: boolean,
  isVar: boolean,
): void {
  if (!init) {
    bindLocal(t, name, null, node, false, isVar);
    return;
  }
  if (init.type === 'Identifier') {
    const binding = t.lookup(init.name);
    if (
      binding &&
      binding.kind !== 'local' &&
      binding.kind !== 'record' &&
      binding.kind !== 'constant' &&
      binding.kind !== 'field'
    ) {
      if (isVar) t.bindAtTop(name, binding);
      else t.bind(name, binding);
      return;
    }
  }
  if (bindAlias(t, name, init)) return;
  const filled = filledArray(t, init);
  const tuple = filled ?? translateTuple(t, init);
  if (!tuple) {
    bindLocal(t, name, translateExpression(t, init), node, constant, isVar);
  } else if (tuple.names) {
    const locals =
      tuple.fresh ??
      tuple.values.map((value, k) => t.declare(tuple.names![k]!, value, node, false));
    const binding = { kind: 'record', names: tuple.names, locals } as const;
    if (isVar) t.bindAtTop(name, binding);
    else t.bind(name, binding);
  } else {
    const local = declareArray(t, name, tuple.values, node);
    if (isVar) t.bindAtTop(name, { kind: 'local', local });
    else t.bind(name, { kind: 'local', local });
  }
}

/** `const table = p.table`, `const f = h.f`: another name for something that is no number. */
function bindAlias(t: Translation, name: string, init: Expression): boolean {
  if (init.type !== 'MemberExpression' || init.object.type !== 'Identifier') return false;
  const member = memberName(init);
  const binding = t.lookup(init.object.name);
  if (member === null) return false;
  if (binding?.kind === 'helpers') {
    t.bind(name, { kind: 'helper', name: member });
    return true;
  }
  if (binding?.kind === 'role' && fieldInfo(t, binding.role, member, init).array) {
    t.bind(name, { kind: 'field', role: binding.role, field: member });
    return true;
  }
  return false;
}

function propertyNames(
  t: Translation,
  pattern: Extract<Pattern, { type: 'ObjectPattern' }>,
): [key: string, name: string, node: Node][] {
  return pattern.properties.map((property) => {
    if (
      property.type !== 'Property' ||
      property.computed ||
      property.key.type !== 'Identifier' ||
      property.value.type !== 'Identifier'
    ) {
      return failPattern(t, property);
    }
    return [property.key.name, property.value.name, property];
  });
}

/** `{ x, y } = d`, `{ cube } = h`: names for members of an argument. In a body (`copy`) fields are read at once. */
export function bindPattern(
  t: Translation,
  pattern: Extract<Pattern, { type: 'ObjectPattern' }>,
  from: string,
  copy: boolean,
): void {
  const binding = t.lookup(from);
  for (const [key, name, node] of propertyNames(t, pattern)) {
    if (binding?.kind === 'role') {
      const info = fieldInfo(t, binding.role, key, node);
      if (info.array) t.bind(name, { kind: 'field', role: binding.role, field: key });
      else if (copy || info.writable)
        bindLocal(t, name, readField(t, binding.role, key, node), node, true, false);
      else t.bind(name, { kind: 'field', role: binding.role, field: key });
    } else if (binding?.kind === 'helpers') {
      t.bind(name, { kind: 'helper', name: key });
    } else if (binding?.kind === 'constants') {
      const value = Object.hasOwn(t.constants, key) ? t.constants[key] : undefined;
      if (value === undefined)
        t.source.fail(
          'FUNCTOR_NAME',
          node,
          `the constant '${key}' is not declared`,
          'declare it in `constants`',
        );
      t.bind(name, { kind: 'constant', value });
    } else {
      failPattern(t, pattern);
    }
  }
}
