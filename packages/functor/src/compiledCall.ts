import type { FunctorIR } from './ir.js';
import { lowerToJavaScript } from './lower/javascript/lowerToJavaScript.js';

/**
 * Calls a functor of pairs or neighborhoods as it was compiled, in double precision: what a direct call is where outputs follow
 * from an energy. It is made at the first call.
 */
export function compiledCall(ir: () => FunctorIR): (roles: readonly object[]) => void {
  let run: ((roles: readonly object[]) => void) | null = null;
  return (roles) => {
    run ??= make(ir());
    run(roles);
  };
}

function make(ir: FunctorIR): (roles: readonly object[]) => void {
  const names = ir.kind === 'pair' ? ['i', 'j', 'd', 'p'] : ['i', 'n', 'p'];
  const { helpers, prologue, body } = lowerToJavaScript(ir, {
    read: (role, field) => `${role}.${field}`,
    item: (role, field, index) => `${role}.${field}[${index}]`,
    write: (role, field, op, value) => `${role}.${field} ${op} ${value};`,
    writeItem: (role, field, index, op, value) => `${role}.${field}[${index}] ${op} ${value};`,
  });
  const call = new Function(
    ...names,
    `"use strict";\n${helpers}${prologue}functor: {\n${body}}`,
  ) as (...roles: object[]) => void;
  return (roles) => call(...names.map((_, k) => roles[k] ?? {}));
}
