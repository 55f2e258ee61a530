import type { Expression, Node, Pattern, PrivateIdentifier, Super } from 'acorn';
import type { Translation } from './Translation.js';

/** What stands in the place of functions of Math that no back end has. */
const INSTEAD: Readonly<Record<string, string>> = {
  random: 'draw numbers with h.uniform(id, step, stream) or h.normal(id, step, stream)',
  tan: 'write Math.sin(x) / Math.cos(x)',
  cbrt: 'write Math.sign(x) * Math.pow(Math.abs(x), 1 / 3)',
  log2: 'write Math.log(x) * Math.LOG2E',
  log10: 'write Math.log(x) * Math.LOG10E',
  log1p: 'write Math.log(1 + x)',
  expm1: 'write Math.exp(x) - 1',
  asinh: 'write Math.log(x + Math.sqrt(x * x + 1))',
  acosh: 'write Math.log(x + Math.sqrt(x * x - 1))',
  atanh: 'write 0.5 * Math.log((1 + x) / (1 - x))',
  f16round: 'use Math.fround',
};

/** What to write in the place of a function of Math that there is elsewhere, or null. */
export const insteadOfMath = (name: string): string | null =>
  Object.hasOwn(INSTEAD, name) ? INSTEAD[name]! : null;

/** Throws: a name that the function sees only when it is called directly. */
export function failOuter(t: Translation, name: string, node: Node): never {
  if (name === 'undefined')
    return t.source.fail(
      'FUNCTOR_NAME',
      node,
      "'undefined' is no number",
      'numbers are never undefined: leave it out, or test with Number.isNaN',
    );
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${name}' is not defined inside the function, and functors cannot capture outer variables`,
    t.kind === 'functor'
      ? "declare it in params (varies from call to call; tables as 'real[]'), constants (read as c.name) or helpers (called as h.name)"
      : 'pass it to the helper as an argument',
  );
}

/** Throws where `a.b.c` or `a[k]` begins with a name from outside of the function. */
export function refuseOuter(
  t: Translation,
  node: Expression | Pattern | PrivateIdentifier | Super,
): void {
  let first = node;
  while (first.type === 'MemberExpression') first = first.object;
  if (first.type !== 'Identifier' || t.lookup(first.name)) return;
  if (!/^(Math|Number)$/.test(first.name)) failOuter(t, first.name, first);
}

/** Throws: a function is called that the compiled one does not have. */
export function failOuterCall(t: Translation, name: string, node: Node): never {
  if (name === 'Number')
    return t.source.fail(
      'FUNCTOR_NAME',
      node,
      "'Number' converts nothing here",
      'leave it out where x is a number; h.real(x) makes a real of an int or a truth value',
    );
  // As bundlers name conversions and what stands for ** and destructuring in old JavaScript.
  const isMade = name.length <= 2 || /^_|^(i32|u32|real)/.test(name);
  const declared = 'declare it in `helpers` and call it as h.name(…)';
  const remedy = t.library.names.includes(name)
    ? `call it through the helper argument: h.${name}(…)`
    : isMade
      ? `${declared}; conversions are h.i32, h.u32 and h.real; where a compiler wrote it in the place of ** or [a, b] = …, compile for ES2016 or later`
      : declared;
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${name}' is called, but functors cannot capture outer functions`,
    remedy,
  );
}
