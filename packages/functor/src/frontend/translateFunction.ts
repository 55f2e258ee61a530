import type { Node, Pattern, Statement } from 'acorn';
import type { RoleName } from '../ir.js';
import type { DraftStmt, Local } from './Draft.js';
import type { HelperLibrary } from './HelperLibrary.js';
import type { ArgumentKind } from './HelperTemplate.js';
import type { ParsedFunction } from './parseFunction.js';
import { type RoleTable, type Shape, Translation } from './Translation.js';
import { bindPattern } from './translateDeclaration.js';
import { endsInReturn, returnNothing, returnValues, translateBlock } from './translateStatement.js';

export interface TranslatedFunction {
  readonly params: readonly Local[];
  readonly body: readonly DraftStmt[];
  readonly shape: Shape;
}

/** What an argument of the functor stands for, in order. */
export type Parameter = RoleName | 'helpers' | 'constants';

export function translateFunctor(
  { node, source }: ParsedFunction,
  parameters: readonly Parameter[],
  roles: RoleTable,
  library: HelperLibrary,
): readonly DraftStmt[] {
  const t = new Translation(source, library, 'functor', roles, library.constants);
  if (node.params.length > parameters.length) {
    const extra = node.params[parameters.length]!;
    const wanted = parameters.map((name) =>
      name === 'helpers' ? 'h' : name === 'constants' ? 'c' : name,
    );
    source.fail(
      'FUNCTOR_TYPE',
      extra,
      `the function has more than ${parameters.length} parameters`,
      `it receives (${wanted.join(', ')})`,
    );
  }
  node.params.forEach((pattern, k) => {
    const parameter = parameters[k]!;
    const binding =
      parameter === 'helpers' || parameter === 'constants'
        ? ({ kind: parameter } as const)
        : ({ kind: 'role', role: parameter } as const);
    const name = pattern.type === 'Identifier' ? pattern.name : ` ${parameter}`;
    t.bind(name, binding);
    if (pattern.type === 'ObjectPattern') bindPattern(t, pattern, name, false);
    else if (pattern.type !== 'Identifier') failParameter(t, pattern);
  });
  translateBody(t, node.body, () => returnNothing(t, node.body as never, node.body));
  return t.out;
}

export function translateHelper(
  { node, source, builtin }: ParsedFunction,
  kinds: readonly ArgumentKind[],
  library: HelperLibrary,
): TranslatedFunction {
  const kind = builtin ? 'builtin' : 'helper';
  const t = new Translation(source, library, kind, {}, library.constants);
  const params: Local[] = [];
  node.params.forEach((pattern, k) => {
    const kind = kinds[k]!;
    if (kind !== 'value') {
      const name = pattern.type === 'Identifier' ? pattern.name : ` ${kind}`;
      t.bind(name, { kind });
      if (pattern.type === 'ObjectPattern') bindPattern(t, pattern, name, false);
      return;
    }
    if (pattern.type !== 'Identifier') failParameter(t, pattern);
    const { name } = pattern as { name: string };
    const local = t.newLocal(name, pattern);
    params.push(local);
    t.bind(name, { kind: 'local', local });
  });
  translateBody(t, node.body, () => returnValues(t, node.body as never, node.body));
  if (!t.shape || !endsInReturn(t.out)) {
    return source.fail(
      'FUNCTOR_TYPE',
      node,
      'the helper does not return a value on every path',
      'end it with a return',
    );
  }
  return { params, body: t.out, shape: t.shape };
}

function failParameter(t: Translation, pattern: Pattern): never {
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    pattern,
    `the parameter '${t.source.quote(pattern)}' cannot be compiled`,
    'use plain names without defaults',
  );
}

function translateBody(t: Translation, body: Node, expression: () => void): void {
  if (body.type !== 'BlockStatement') {
    expression();
    return;
  }
  const { body: statements } = body as Node & { body: Statement[] };
  for (const name of hoistedNames(statements)) {
    t.bind(name, { kind: 'local', local: t.declare(name, null, body, false) });
  }
  translateBlock(t, statements);
}

/** Names declared with `var` in inner blocks are visible everywhere; those at the top level are declared in place. */
function hoistedNames(statements: readonly Statement[]): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown, inner: boolean): void => {
    if (Array.isArray(value)) {
      for (const element of value) visit(element, inner);
      return;
    }
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node & { kind?: string; declarations?: { id: Pattern }[] };
    if (node.type === 'VariableDeclaration' && node.kind === 'var' && inner) {
      for (const { id } of node.declarations ?? [])
        if (id.type === 'Identifier') names.add(id.name);
    }
    for (const child of Object.values(node)) visit(child, true);
  };
  for (const statement of statements) {
    if (statement.type === 'VariableDeclaration') continue;
    visit(statement, true);
  }
  return names;
}
