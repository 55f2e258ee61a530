import type { FunctorIR } from '../../src/ir.js';
import { lowerToJavaScript } from '../../src/lower/javascript/lowerToJavaScript.js';

type Roles = Record<string, Record<string, number>>;

/** The JavaScript that a functor becomes, as a function that changes what its roles hold. */
export function runJavaScript(ir: FunctorIR): (roles: Roles) => void {
  const { helpers, prologue, body } = lowerToJavaScript(ir, {
    read: (role, field) => `roles.${role}.${field}`,
    item: (role, field, index) => `roles.${role}.${field}[${index}]`,
    write: (role, field, op, value) => `roles.${role}.${field} ${op} ${value};`,
    writeItem: (role, field, index, op, value) =>
      `roles.${role}.${field}[${index}] ${op} ${value};`,
  });
  const text = `"use strict";\n${helpers}${prologue}functor: {\n${body}}`;
  return new Function('roles', text) as (roles: Roles) => void;
}
