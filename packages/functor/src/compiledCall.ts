import type { FunctorIR } from './ir.js';
import { lowerToJavaScript } from './lower/javascript/lowerToJavaScript.js';

/**
 * Calls a functor of pairs or neighborhoods as it was compiled, in double precision: what a direct call is where outputs follow
 * from an energy. It is made at the first call.
 */
export function compiledCall(ir: () => FunctorIR): (roles: readonly object[]) => void {
  let run: ((...roles: object[]) => void) | null = null;
  let names: readonly string[] = [];
  return (roles) => {
    if (!run) {
      names = ir().kind === 'pair' ? ['i', 'j', 'd', 'p'] : ['i', 'n', 'p'];
      run = make(ir(), names);
    }
    run(...names.map((_, k) => roles[k] ?? {}));
  };
}

function make(ir: FunctorIR, names: readonly string[]): (...roles: object[]) => void {
  const { helpers, prologue, body } = lowerToJavaScript(ir, {
    read: (role, field) => `${role}.${field}`,
    item: (role, field, index) => `${role}.${field}[${index}]`,
    write: (role, field, op, value) => `${role}.${field} ${op} ${value};`,
    writeItem: (role, field, index, op, value) => `${role}.${field}[${index}] ${op} ${value};`,
  });
  return new Function(...names, `"use strict";\n${helpers}${prologue}functor: {\n${body}}`) as (
    ...roles: object[]
  ) => void;
}
