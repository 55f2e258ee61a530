import type { Expression, Node, Statement } from 'acorn';
import type { DraftExpr, DraftStmt } from './Draft.js';
import type { Shape, Translation } from './Translation.js';
import { translateDeclaration } from './translateDeclaration.js';
import { translateEffect } from './translateEffect.js';
import { translateExpression } from './translateExpression.js';
import { isTuple, translateTuple } from './translateTuple.js';

/** Statements of a block, in a scope of their own; what follows a jump is unreachable and left out. */
export function translateBlock(t: Translation, statements: readonly Statement[]): void {
  t.scoped(() => {
    for (const statement of statements) {
      translateStatement(t, statement);
      if (jumps(t.out.at(-1))) break;
    }
  });
}

function jumps(statement: DraftStmt | undefined): boolean {
  if (!statement) return false;
  if (statement.kind === 'if') {
    return jumps(statement.then.at(-1)) && jumps(statement.else.at(-1));
  }
  return statement.kind === 'return' || statement.kind === 'break' || statement.kind === 'continue';
}

const block = (t: Translation, node: Statement): DraftStmt[] =>
  t.collect(() => translateBlock(t, node.type === 'BlockStatement' ? node.body : [node]));

function translateStatement(t: Translation, node: Statement): void {
  switch (node.type) {
    case 'EmptyStatement':
      return;
    case 'BlockStatement':
      translateBlock(t, node.body);
      return;
    case 'VariableDeclaration':
      translateDeclaration(t, node);
      return;
    case 'ExpressionStatement':
      if (!('directive' in node && node.directive)) translateEffect(t, node.expression);
      return;
    case 'IfStatement': {
      const condition = translateExpression(t, node.test);
      const then = block(t, node.consequent);
      const otherwise = node.alternate ? block(t, node.alternate) : [];
      if (condition.kind === 'boolean') t.out.push(...(condition.value ? then : otherwise));
      else t.out.push({ kind: 'if', condition, then, else: otherwise, node });
      return;
    }
    case 'ForStatement':
      t.scoped(() => {
        if (node.init?.type === 'VariableDeclaration') translateDeclaration(t, node.init);
        else if (node.init) translateEffect(t, node.init);
        loop(t, node.test ?? null, node.update ?? null, node.body, node);
      });
      return;
    case 'WhileStatement':
      loop(t, node.test, null, node.body, node);
      return;
    case 'DoWhileStatement':
      doWhile(t, node.test, node.body, node);
      return;
    case 'ReturnStatement':
      if (t.kind !== 'functor') returnValues(t, node.argument ?? null, node);
      else returnNothing(t, node.argument ?? null, node);
      return;
    case 'BreakStatement':
    case 'ContinueStatement':
      if (node.label || t.loopDepth === 0) {
        t.source.fail(
          'FUNCTOR_UNSUPPORTED',
          node,
          'a labeled jump cannot be compiled',
          'use a variable, or a helper with return',
        );
      }
      t.out.push({ kind: node.type === 'BreakStatement' ? 'break' : 'continue', node });
      return;
    default:
      t.source.fail(
        'FUNCTOR_UNSUPPORTED',
        node,
        `${words(node.type)} cannot be compiled`,
        remedies[node.type] ?? 'write it with if, for or while',
      );
  }
}

const remedies: Readonly<Record<string, string>> = {
  TryStatement: 'arithmetic does not throw: test the values instead',
  ThrowStatement: 'write the condition to a field and test it after the call',
  ForOfStatement: 'write for (let k = 0; k < n; k++)',
  ForInStatement: 'write for (let k = 0; k < n; k++)',
  SwitchStatement: 'write if … else if …',
  FunctionDeclaration: 'declare the function in `helpers` and call it as h.name(…)',
  ClassDeclaration: 'functors compute with numbers only',
  LabeledStatement: 'use a variable, or a helper with return',
  DebuggerStatement: 'call the function directly to debug it',
};

function words(type: string): string {
  const text = type
    .replace(/Statement$|Declaration$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `'${text}'`;
}

function loop(
  t: Translation,
  test: Expression | null,
  step: Expression | null,
  node: Statement,
  at: Node,
): void {
  let condition: DraftExpr = { kind: 'boolean', value: true, node: at };
  const before = t.collect(() => {
    if (test) condition = translateExpression(t, test);
  });
  const update = t.collect(() => {
    if (step) translateEffect(t, step);
  });
  t.loopDepth++;
  const body = block(t, node);
  t.loopDepth--;
  if (before.length > 0) {
    // The condition has effects: test it at the head of the body, where its statements can stand.
    const stop: DraftStmt = { kind: 'break', node: at };
    const leave: DraftExpr = { kind: 'unary', op: '!', operand: condition, node: at };
    body.unshift(...before, { kind: 'if', condition: leave, then: [stop], else: [], node: at });
    condition = { kind: 'boolean', value: true, node: at };
  }
  t.out.push({ kind: 'loop', condition, update, body, node: at });
}

/** do { body } while (test): the test moves into the update, so that `continue` reaches it. */
function doWhile(t: Translation, test: Expression, node: Statement, at: Node): void {
  const again = t.declare('again', { kind: 'boolean', value: true, node: at }, at, false);
  t.loopDepth++;
  const body = block(t, node);
  t.loopDepth--;
  const update = t.collect(() => t.assign(again, translateExpression(t, test), at));
  t.out.push({ kind: 'loop', condition: t.read(again, at), update, body, node: at });
}

/** A functor's return may carry effects (minifiers write `return void (i.fx += …)`), but no value, which would be lost. */
export function returnNothing(t: Translation, node: Expression | null, at: Node): void {
  if (node && isValue(node))
    t.source.fail(
      'FUNCTOR_TYPE',
      node,
      'a functor returns nothing, so that this value would be lost',
      'assign it to a field that is declared, as in i.vx = …',
    );
  if (node) translateEffect(t, node);
  t.out.push({ kind: 'return', values: [], node: at });
}

const VALUES = ['BinaryExpression', 'MemberExpression', 'ArrayExpression', 'ObjectExpression'];

const isValue = (node: Expression): boolean =>
  node.type === 'ParenthesizedExpression' ? isValue(node.expression) : VALUES.includes(node.type);

export function returnValues(t: Translation, node: Expression | null, at: Node): void {
  if (!node)
    t.source.fail(
      'FUNCTOR_TYPE',
      at,
      'the helper returns nothing here',
      'return a value on every path',
    );
  if (node.type === 'ParenthesizedExpression') {
    returnValues(t, node.expression, at);
    return;
  }
  if (node.type === 'SequenceExpression') {
    for (const part of node.expressions.slice(0, -1)) translateEffect(t, part);
    returnValues(t, node.expressions.at(-1)!, at);
    return;
  }
  if (!isTuple(t, node)) {
    checkShape(t, { many: false, count: 1, names: null }, node);
    t.out.push({ kind: 'return', values: [translateExpression(t, node)], node: at });
    return;
  }
  if (node.type === 'ConditionalExpression') {
    const condition = translateExpression(t, node.test);
    const then = t.collect(() => returnValues(t, node.consequent, at));
    const otherwise = t.collect(() => returnValues(t, node.alternate, at));
    t.out.push({ kind: 'if', condition, then, else: otherwise, node: at });
    return;
  }
  const tuple = translateTuple(t, node)!;
  const names = tuple.names ? (t.shape?.names ?? tuple.names) : null;
  checkShape(t, { many: true, count: tuple.values.length, names: tuple.names }, node);
  const values = tuple.names
    ? names!.map((name) => tuple.values[tuple.names!.indexOf(name)]!)
    : tuple.values;
  t.out.push({ kind: 'return', values, node: at });
}

function checkShape(t: Translation, shape: Shape, node: Node): void {
  if (!t.shape) {
    t.shape = shape;
    return;
  }
  const { shape: first } = t;
  const same =
    first.many === shape.many &&
    first.count === shape.count &&
    (first.names === null) === (shape.names === null) &&
    (first.names ?? []).every((name) => shape.names!.includes(name));
  if (!same) {
    t.source.fail(
      'FUNCTOR_TYPE',
      node,
      'this return has another shape than the one before',
      'return the same values on every path',
    );
  }
}

export const endsInReturn = (body: readonly DraftStmt[]): boolean => {
  const last = body.at(-1);
  if (!last) return false;
  if (last.kind === 'return') return true;
  return last.kind === 'if' && endsInReturn(last.then) && endsInReturn(last.else);
};
