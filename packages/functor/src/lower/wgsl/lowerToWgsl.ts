import type { FunctorIR, FunctorKind, HelperIR, RoleName, Variable } from '../../ir.js';
import { fieldUse } from '../../passes/fieldUse.js';
import { type Hoisted, hoistUniform } from '../../passes/hoistUniform.js';
import { forEachStatement } from '../../passes/walk.js';
import { doubleText } from './real/doubleText.js';
import type { RealText } from './real/RealText.js';
import { singleText } from './real/singleText.js';
import { Support } from './Support.js';
import type { LoweredWgsl, WgslField, WgslOptions } from './WgslEnv.js';
import { helperName, type WgslContext, wgslExpression, wgslType } from './wgslExpression.js';
import { wgslMember } from './wgslNames.js';
import { wgslStatements } from './wgslStatements.js';

/**
 * Functor → WGSL function with `real` = f32, or double-single. Signatures, structs and what the caller must declare are described at
 * `WgslEnv`.
 *
 * @example
 * const { structs, functions } = lowerToWgsl(ir, { env });
 * const shader = `${structs}${functions}@compute @workgroup_size(64) fn main(…) { … ${ir.name}(&i, j, vec4f(…)); … }`;
 */
export function lowerToWgsl(ir: FunctorIR, options: WgslOptions): LoweredWgsl {
  const name = options.name ?? ir.name;
  const support = new Support(name);
  const real = options.real === 'f64' ? doubleText : singleText;
  const c: WgslContext = { prefix: name, env: options.env, support, kind: ir.kind, real };
  const fields = {
    i: membersOf(ir, 'i', c),
    j: membersOf(ir, 'j', c),
    acc: membersOf(ir, 'acc', c),
  };
  // A body written by hand computes in f32.
  const written = real === singleText ? options.body : undefined;
  const helpers = written === undefined ? ir.helpers.map((helper) => helperText(helper, c)) : [];
  const { ir: rest, prologue } =
    options.hoist && written === undefined ? hoistUniform(ir, `${name}_`) : { ir, prologue: [] };
  const body = written ?? wgslStatements(rest.body, c, '  ');
  const main = `fn ${name}(${parameters(ir.kind, name, real)}) {\n${body}}\n`;
  const resultStructs = ir.helpers.map((helper) => resultStruct(helper, c));
  return {
    name,
    fields,
    structs: [...structsOf(ir.kind, name, fields), ...resultStructs].join(''),
    functions: `${support.text}${helpers.join('')}${sharedText(name, prologue, c)}${main}`,
    before: prologue.length > 0 ? `${name}_before();` : '',
  };
}

/** Variables of a thread for what all calls share, and the function that computes it. */
function sharedText(name: string, prologue: Hoisted['prologue'], c: WgslContext): string {
  if (prologue.length === 0) return '';
  const variables = prologue.map(
    ({ variable }) => `var<private> ${variable.id}: ${wgslType(variable.type, c)};\n`,
  );
  const values = prologue.map(
    ({ variable, value }) => `  ${variable.id} = ${wgslExpression(value, c)};\n`,
  );
  return `${variables.join('')}fn ${name}_before() {\n${values.join('')}}\n`;
}

function parameters(kind: FunctorKind, name: string, real: RealText): string {
  switch (kind) {
    case 'pair':
      return `i: ptr<function, ${name}_i>, j: ${name}_j, d: ${real.vector}`;
    case 'cell':
    case 'neighborhood':
      return `i: ptr<function, ${name}_i>`;
    case 'reduce':
      return `acc: ptr<function, ${name}_acc>, i: ${name}_i`;
    case 'block':
      return ['index', 'x', 'y', 'z', 'lane', 'size'].map((field) => `b_${field}: u32`).join(', ');
  }
}

/** The members of a role's struct: fields read or written, in the order of their declaration. */
function membersOf(ir: FunctorIR, role: RoleName, c: WgslContext): WgslField[] {
  const { reads, writes } = fieldUse(ir);
  return Object.entries(ir.roles[role] ?? {})
    .filter(([field]) => reads.get(role)?.has(field) || writes.get(role)?.has(field))
    .map(([field, { type }]) => ({
      field,
      member: wgslMember(field),
      type: wgslType(type, c) as WgslField['type'],
      written: writes.get(role)?.has(field) ?? false,
    }));
}

function structsOf(kind: FunctorKind, name: string, fields: LoweredWgsl['fields']): string[] {
  const struct = (role: 'i' | 'j' | 'acc'): string => {
    const members = fields[role].map(({ member, type }) => `${member}: ${type}`);
    return `struct ${name}_${role} { ${members.join(', ') || 'pad_: u32'} }\n`;
  };
  switch (kind) {
    case 'pair':
      return [struct('i'), struct('j')];
    case 'cell':
    case 'neighborhood':
      return [struct('i')];
    case 'reduce':
      return [struct('acc'), struct('i')];
    case 'block':
      return [];
  }
}

const resultsName = (helper: HelperIR, c: WgslContext): string => `${helperName(c, helper)}results`;

function resultStruct(helper: HelperIR, c: WgslContext): string {
  if (helper.results.length < 2) return '';
  const members = helper.results.map((type, k) => `r${k}: ${wgslType(type, c)}`);
  return `struct ${resultsName(helper, c)} { ${members.join(', ')} }\n`;
}

/** Parameters of WGSL functions cannot be assigned: those that are get a variable. */
function helperText(helper: HelperIR, c: WgslContext): string {
  const assigned = new Set<Variable>();
  forEachStatement(helper.body, (s) => {
    if (s.kind === 'assign') assigned.add(s.variable);
  });
  const params = helper.params.map(
    (v) => `${v.id}${assigned.has(v) ? '_in' : ''}: ${wgslType(v.type, c)}`,
  );
  const copies = helper.params
    .filter((v) => assigned.has(v))
    .map((v) => `  var ${v.id} = ${v.id}_in;\n`);
  const many = helper.results.length > 1;
  const type = many ? resultsName(helper, c) : wgslType(helper.results[0]!, c);
  const body = wgslStatements(helper.body, c, '  ', many ? type : null);
  return `fn ${helperName(c, helper)}(${params.join(', ')}) -> ${type} {\n${copies.join('')}${body}}\n`;
}
