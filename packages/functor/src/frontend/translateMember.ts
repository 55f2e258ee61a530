import type { Expression, MemberExpression, Node } from 'acorn';
import type { RoleName } from '../ir.js';
import { isFreeResult } from './assignResult.js';
import { type ComputedField, computedHelper } from './computedFields.js';
import type { DraftExpr, Local } from './Draft.js';
import { declareArray, filledArray } from './localArrays.js';
import { mathConstant } from './mathConstant.js';
import { refuseOuter } from './outerNames.js';
import type { Translation } from './Translation.js';
import { translateExpression } from './translateExpression.js';
import { memberOfTuple, translateTuple } from './translateTuple.js';

/** A field of a role, checked to exist and to be readable. */
export function readField(t: Translation, role: RoleName, field: string, node: Node): DraftExpr {
  const isComputed = role === 'i' && Object.hasOwn(t.library.computed, field);
  const computed = isComputed ? t.library.computed[field] : undefined;
  if (computed) return computedField(t, field, computed, node);
  const info = fieldInfo(t, role, field, node);
  if (info.array) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      node,
      `'${field}' is an array and cannot be used as a number`,
      `read one element, ${field}[k]`,
    );
  }
  if (role === 'acc' && !isFreeResult(t, field)) {
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `the result '${field}' is read, but particles are visited in no fixed order`,
      `add to it (acc.${field} += …) or write acc.${field} = Math.max(acc.${field}, …) as its declaration says`,
    );
  }
  return { kind: 'field', role, field, info, node };
}

/** A field that a helper computes from fields the particle has. */
function computedField(
  t: Translation,
  field: string,
  { fields }: ComputedField,
  node: Node,
): DraftExpr {
  const kinds = fields.map(() => 'value' as const);
  const helper = t.library.template(computedHelper(field), kinds, (problem, remedy) =>
    t.source.fail('FUNCTOR_TYPE', node, problem, remedy),
  );
  return { kind: 'call', helper, args: fields.map((name) => readField(t, 'i', name, node)), node };
}

/** An element of a table or array; what is handed to neighbors can only be added to. */
export function readItem(
  t: Translation,
  item: Extract<DraftExpr, { kind: 'item' }>,
  node: Node,
): DraftExpr {
  if (item.info.collects) failScatter(t, item.field, node);
  if (item.role === 'acc') failBin(t, item.field, node);
  return item;
}

/** Bins of a histogram collect from particles in any order. */
export function failBin(t: Translation, field: string, node: Node): void {
  if (isFreeResult(t, field)) return;
  t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `the bins of '${field}' are used otherwise than by += or -=, but particles are visited in no fixed order`,
    `add to them (acc.${field}[k] += …), or declare 'real[…]' and a combine function`,
  );
}

/** Several particles share a neighbor, so what they give it has no value of its own. */
export function failScatter(t: Translation, field: string, node: Node): never {
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `'${field}' of the neighbors is used otherwise than by += or -=, but it collects what all their neighbors give`,
    `add to it (${field}[k] += …) and keep running values in a variable`,
  );
}

export function fieldInfo(t: Translation, role: RoleName, field: string, node: Node) {
  const fields = t.roles[role] ?? {};
  const info = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (info) return info;
  const known = Object.keys(fields).join(', ') || 'none';
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${field}' is not declared (known here: ${known})`,
    declareRemedy[role],
  );
}

const declareRemedy: Readonly<Record<RoleName, string>> = {
  i: 'declare it among the fields of the functor, or as `read`',
  j: 'declare it in `neighbor`',
  d: 'the displacement has x, y, z and r2',
  p: 'declare it in `params`',
  acc: 'declare it in `result`',
  b: 'a block has index, x, y, z, lane, size, barrier() and what is declared in `blockShared`',
  a: 'declare it in `arrays`, or in `read`',
  n: 'a buffer has count, dx, dy, dz, r2 and what is declared in `neighbor`, `scatter` and `work`',
  x: 'declare it in `context`',
};

/** What `object.name` stands for, when object is a name. */
export function memberName(node: MemberExpression): string | null {
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  if (
    node.computed &&
    node.property.type === 'Literal' &&
    typeof node.property.value === 'string'
  ) {
    return node.property.value;
  }
  return null;
}

/** `i.fx`, `c.k`, `Math.PI`, `a[k]`, `a.length`, `r.name`. */
export function translateMember(t: Translation, node: MemberExpression): DraftExpr {
  const name = memberName(node);
  const { object, property } = node;
  // One of several values, known which: h.f(x)[1].
  const known = node.computed && property.type === 'Literal' && object.type !== 'Identifier';
  const picked = known ? memberOfTuple(t, node) : null;
  if (picked) return picked;
  const item = indexed(t, node);
  if (item) return item.kind === 'item' ? readItem(t, item, node) : item;
  if (name !== null && object.type === 'Identifier') {
    const binding = t.lookup(object.name);
    if (binding?.kind === 'role') return readField(t, binding.role, name, node);
    if (binding?.kind === 'constants') {
      const value = Object.hasOwn(t.constants, name) ? t.constants[name] : undefined;
      if (value !== undefined) return { kind: 'number', value, node };
      const known = Object.keys(t.constants).join(', ') || 'none';
      return t.source.fail(
        'FUNCTOR_NAME',
        node,
        `the constant '${name}' is not declared (known here: ${known})`,
        'declare it in `constants`',
      );
    }
    if (binding?.kind === 'local' && binding.local.size > 0 && name === 'length') {
      return { kind: 'number', value: binding.local.size, node };
    }
    if (!binding) {
      const value = mathConstant(object.name, name);
      if (value !== undefined) return { kind: 'number', value, node };
    }
  }
  const value = memberOfTuple(t, node);
  if (value) return value;
  refuseOuter(t, node);
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `'${t.source.quote(node)}' cannot be compiled`,
    name === 'length'
      ? 'declare the number of elements in params, as a u32'
      : 'read fields of the arguments, elements of arrays, and constants such as Math.PI',
  );
}

/** `a[k]` of a local array, a table or an array argument; null for any other member expression. */
export function indexed(
  t: Translation,
  node: MemberExpression,
): Extract<DraftExpr, { kind: 'element' | 'item' }> | null {
  const target = indexTarget(t, node);
  if (!target || !node.computed) return null;
  const property = node.property as Expression;
  const index = translateExpression(t, property);
  if ('role' in target) {
    return { kind: 'item', role: target.role, field: target.field, info: target.info, index, node };
  }
  const { local } = target;
  if (index.kind !== 'number') local.dynamic = true;
  else if (!Number.isInteger(index.value) || index.value < 0 || index.value >= local.size) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      property,
      `index ${index.value} is outside the array '${local.name}' of ${local.size}`,
      `use 0 to ${local.size - 1}`,
    );
  }
  return { kind: 'element', local, index, node };
}

function indexTarget(t: Translation, node: MemberExpression) {
  if (!node.computed || memberName(node) !== null) return null;
  const { object } = node;
  if (object.type === 'Identifier') {
    const binding = t.lookup(object.name);
    if (binding?.kind === 'local' && binding.local.size > 0) return { local: binding.local };
    if (binding?.kind === 'field') return arrayField(t, binding.role, binding.field, object);
    if (binding?.kind === 'local') {
      return t.source.fail(
        'FUNCTOR_TYPE',
        object,
        `'${object.name}' is a number and has no elements`,
        'index arrays and tables only',
      );
    }
    return null;
  }
  if (object.type === 'Super') return null;
  if (object.type === 'MemberExpression' && object.object.type === 'Identifier') {
    const name = memberName(object);
    const binding = t.lookup(object.object.name);
    if (name !== null && binding?.kind === 'role') return arrayField(t, binding.role, name, object);
  }
  return namelessArray(t, object);
}

/** An array without a name: minifiers put one that is used once where it is used. */
function namelessArray(t: Translation, node: Expression): { local: Local } | null {
  const tuple = filledArray(t, node) ?? translateTuple(t, node);
  if (!tuple || tuple.names) return null;
  return { local: declareArray(t, 't', tuple.values, node) };
}

function arrayField(t: Translation, role: RoleName, field: string, node: Node) {
  const info = fieldInfo(t, role, field, node);
  if (!info.array) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      node,
      `'${field}' is a number and has no elements`,
      role === 'p' ? `declare it as a table, ${field}: 'real[]'` : 'index arrays and tables only',
    );
  }
  return { role, field, info };
}
