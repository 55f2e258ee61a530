import type { FunctorIR } from './ir.js';
import { lowerToJavaScript } from './lower/javascript/lowerToJavaScript.js';

/**
 * Calls a functor of neighborhoods as it was compiled, in double precision: what a direct call is where outputs follow from
 * others. It is made at the first call.
 */
export function compiledCall(ir: FunctorIR): (roles: readonly object[]) => void {
  let run: ((i: object, n: object, p: object) => void) | null = null;
  return ([i, n, p]) => {
    run ??= make(ir);
    run(i!, n!, p ?? {});
  };
}

function make(ir: FunctorIR): (i: object, n: object, p: object) => void {
  const { helpers, prologue, body } = lowerToJavaScript(ir, {
    read: (role, field) => `${role}.${field}`,
    item: (role, field, index) => `${role}.${field}[${index}]`,
    write: (role, field, op, value) => `${role}.${field} ${op} ${value};`,
    writeItem: (role, field, index, op, value) => `${role}.${field}[${index}] ${op} ${value};`,
  });
  return new Function(
    'i',
    'n',
    'p',
    `"use strict";\n${helpers}${prologue}functor: {\n${body}}`,
  ) as (i: object, n: object, p: object) => void;
}
