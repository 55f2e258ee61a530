import type { HelperIR, Stmt, ValueType } from '../ir.js';
import type { DraftStmt, DraftType, Local } from './Draft.js';
import {
  type Emission,
  elementsOf,
  emit,
  emitCondition,
  emitIndex,
  variableOf,
} from './emitExpression.js';
import type { HelperLibrary } from './HelperLibrary.js';
import type { HelperInstance, HelperTemplate } from './HelperTemplate.js';
import { inferTypes } from './inferTypes.js';
import type { SourceText } from './SourceText.js';
import { translateHelper } from './translateFunction.js';
import { joinTypes, settle, typeOf } from './typeOf.js';

/** Infers the types of a functor's body and emits it; the helpers it calls are marked as used. */
export function emitFunctor(
  body: readonly DraftStmt[],
  library: HelperLibrary,
  source: SourceText,
): readonly Stmt[] {
  inferTypes(body, localsOf(body), new Set(), library, source);
  return emitStatements({ source, library, onCall: (instance) => library.use(instance) }, body, []);
}

/** One instance of a helper, for arguments of these types. */
export function emitHelper(
  template: HelperTemplate,
  types: readonly DraftType[],
  library: HelperLibrary,
): HelperInstance {
  const { source } = template.parsed;
  const { params, body, shape } = translateHelper(template.parsed, template.kinds, library);
  params.forEach((local, k) => {
    local.type = types[k]!;
  });
  inferTypes(body, [...params, ...localsOf(body)], new Set(params), library, source);
  const found: DraftType[] = new Array(shape.count).fill(null);
  forEachReturn(body, (s) => {
    s.values.forEach((value, k) => {
      const type = typeOf(value, library);
      found[k] = found[k] ? joinTypes(found[k], type) : type;
    });
  });
  const results = found.map(settle);
  const callees: HelperInstance[] = [];
  const onCall = (instance: HelperInstance) => void callees.push(instance);
  const statements = emitStatements({ source, library, onCall }, body, results);
  const ir: HelperIR = {
    name: template.name,
    params: params.map(variableOf),
    results,
    body: statements,
    ...(template.builtin ? { builtin: { math: template.builtin.math } } : {}),
  };
  return { params: ir.params.map((variable) => variable.type), results, ir, callees };
}

function localsOf(body: readonly DraftStmt[]): Local[] {
  const found: Local[] = [];
  const visit = (statements: readonly DraftStmt[]): void => {
    for (const s of statements) {
      if (s.kind === 'declare' || s.kind === 'declareArray') found.push(s.local);
      else if (s.kind === 'callMany') found.push(...s.targets);
      else if (s.kind === 'if') [s.then, s.else].forEach(visit);
      else if (s.kind === 'loop') [s.body, s.update].forEach(visit);
    }
  };
  visit(body);
  return found;
}

function forEachReturn(
  body: readonly DraftStmt[],
  visit: (s: Extract<DraftStmt, { kind: 'return' }>) => void,
): void {
  for (const s of body) {
    if (s.kind === 'return') visit(s);
    else if (s.kind === 'if') [s.then, s.else].forEach((list) => void forEachReturn(list, visit));
    else if (s.kind === 'loop') forEachReturn(s.body, visit);
  }
}

function emitStatements(
  m: Emission,
  body: readonly DraftStmt[],
  results: readonly ValueType[],
): Stmt[] {
  return body.flatMap((s) => emitStatement(m, s, results));
}

function zero(type: ValueType): Stmt & { kind: 'return' } {
  const value =
    type === 'bool'
      ? ({ kind: 'boolean', type, value: false } as const)
      : ({ kind: 'number', type, value: 0 } as const);
  return { kind: 'return', values: [value] };
}

function emitStatement(m: Emission, s: DraftStmt, results: readonly ValueType[]): Stmt[] {
  switch (s.kind) {
    case 'declare': {
      const variable = variableOf(s.local);
      const value = s.value ? emit(m, s.value, variable.type) : zero(variable.type).values[0]!;
      return [{ kind: 'declare', variable, value }];
    }
    case 'declareArray': {
      const type = settle(s.local.type);
      const elements = s.elements.map((element) => emit(m, element, type));
      if (s.local.dynamic)
        return [{ kind: 'declareArray', variable: variableOf(s.local), elements }];
      return elementsOf(s.local).map((variable, k) => ({
        kind: 'declare',
        variable,
        value: elements[k]!,
      }));
    }
    case 'assign': {
      const variable = variableOf(s.local);
      return [{ kind: 'assign', variable, value: emit(m, s.value, variable.type) }];
    }
    case 'assignElement': {
      const value = emit(m, s.value, settle(s.local.type));
      if (!s.local.dynamic && s.index.kind === 'number') {
        return [{ kind: 'assign', variable: elementsOf(s.local)[s.index.value]!, value }];
      }
      return [
        {
          kind: 'assignElement',
          variable: variableOf(s.local),
          index: emitIndex(m, s.index),
          value,
        },
      ];
    }
    case 'write': {
      const { role, field, op, info } = s;
      return [{ kind: 'write', role, field, op, value: emit(m, s.value, info.type) }];
    }
    case 'writeItem': {
      const { role, field, op, info } = s;
      const index = emitIndex(m, s.index);
      return [{ kind: 'writeItem', role, field, index, op, value: emit(m, s.value, info.type) }];
    }
    case 'if': {
      const condition = emitCondition(m, s.condition);
      return [
        {
          kind: 'if',
          condition,
          then: emitStatements(m, s.then, results),
          else: emitStatements(m, s.else, results),
        },
      ];
    }
    case 'loop': {
      const condition = emitCondition(m, s.condition);
      return [
        {
          kind: 'loop',
          condition,
          update: emitStatements(m, s.update, results),
          body: emitStatements(m, s.body, results),
        },
      ];
    }
    case 'break':
    case 'continue':
    case 'barrier':
      return [{ kind: s.kind }];
    case 'return':
      return [{ kind: 'return', values: s.values.map((value, k) => emit(m, value, results[k]!)) }];
    case 'callMany':
      return emitCallMany(m, s);
  }
}

function emitCallMany(m: Emission, s: Extract<DraftStmt, { kind: 'callMany' }>): Stmt[] {
  const types = s.args.map((arg) => typeOf(arg, m.library));
  const instance = m.library.instance(s.helper, types);
  m.onCall(instance);
  const args = s.args.map((arg, k) => emit(m, arg, instance.params[k]!));
  const after: Stmt[] = [];
  const targets = s.targets.map((local, k) => {
    const variable = variableOf(local);
    const type = instance.results[k]!;
    if (variable.type === type) return variable;
    // Assigned something wider later on: the result arrives in a variable of its own.
    const arrival = { id: `${local.id}_0`, name: local.name, type, size: 0 };
    const value: Stmt & { kind: 'declare' } = {
      kind: 'declare',
      variable,
      value: {
        kind: 'cast',
        type: variable.type as 'real' | 'i32' | 'u32',
        operand: { kind: 'variable', type, variable: arrival },
      },
    };
    after.push(value);
    return arrival;
  });
  if (targets.length > 1)
    return [{ kind: 'callMany', targets, helper: instance.ir, args }, ...after];
  const [variable] = targets;
  const value = { kind: 'call', type: instance.results[0]!, helper: instance.ir, args } as const;
  return [{ kind: 'declare', variable: variable!, value }, ...after];
}
