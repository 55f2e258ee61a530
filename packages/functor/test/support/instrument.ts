import { type Node, parse } from 'acorn';

/**
 * Puts coverage counters into a program in the shapes that istanbul writes: `cov_…().s[n]++;` before statements,
 * `cov_…().f[n]++;` at the head of functions, `(cov_…().b[n][k]++, e)` around the operands of && || and ?:.
 */
export function instrument(program: string): string {
  const insertions: { at: number; text: string; order: number }[] = [];
  let next = 0;
  const put = (at: number, text: string, order = 0) => void insertions.push({ at, text, order });
  const count = (kind: string) => `cov_1a2b3c().${kind}[${next++}]++`;
  const wrap = (node: Node) => {
    put(node.start, `(${count('b')}, `, 1e9 - (node.end - node.start));
    put(node.end, ')', -1);
  };
  const visit = (node: AnyNode, inFunction: boolean): void => {
    const inner = inFunction || /Function/.test(node.type);
    if (/Function/.test(node.type)) {
      const body = node.body as AnyNode;
      if (body.type === 'BlockStatement') put(body.start + 1, `${count('f')};`);
    }
    if (inFunction && node.type === 'BlockStatement') {
      for (const statement of node.body as AnyNode[]) {
        if (!/Function|Class|Directive/.test(statement.type) && !statement.directive)
          put(statement.start, `${count('s')};`);
      }
    }
    if (inFunction && node.type === 'LogicalExpression')
      [node.left, node.right].forEach((n) => void wrap(n as Node));
    if (inFunction && node.type === 'ConditionalExpression') {
      [node.consequent, node.alternate].forEach((n) => void wrap(n as Node));
    }
    if (inFunction && node.type === 'VariableDeclarator' && node.init) wrap(node.init as Node);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child && typeof child === 'object' && typeof (child as Node).type === 'string')
          visit(child as AnyNode, inner);
      }
    }
  };
  visit(
    parse(program, { ecmaVersion: 'latest', sourceType: 'module' }) as unknown as AnyNode,
    false,
  );
  // At one place closing parentheses come first, then statement counters, then outer parentheses before inner ones.
  insertions.sort((a, b) => a.at - b.at || a.order - b.order);
  const pieces: string[] = [];
  let from = 0;
  for (const { at, text } of insertions) {
    pieces.push(program.slice(from, at), text);
    from = at;
  }
  const text = pieces.join('') + program.slice(from);
  return `${counters}\n${text}`;
}

type AnyNode = Node & Record<string, unknown>;

const counters =
  'var cov_1a2b3c = function () { var c = new Proxy([], { get: function (t, k) { return 0; }, set: function () { return true; } });' +
  ' var all = { s: c, f: c, b: c }; return all; };';
