import type { FunctorIR } from '@corpuscle/patterns';
import type { SourceEnv } from './expressionSource.js';
import { library } from './library.js';
import { loopLimit } from './loopLimit.js';
import { helperSource, statementSource } from './statementSource.js';

export interface KernelSource {
  /** The kernel, one thread a particle; it returns four values. */
  readonly text: string;
  readonly functions: readonly string[];
}

/** What a kernel reads and computes. At most four outputs: a fragment has four components. */
export interface KernelPlan {
  readonly ir: FunctorIR;
  /** Columns of `fields`, in order. */
  readonly fields: readonly string[];
  readonly outputs: readonly string[];
  /** Outputs that start from the particle's value instead of `start`. */
  readonly carried: ReadonlySet<string>;
  /** Where an output begins that is not carried; reductions begin at their neutral element. */
  readonly start: Readonly<Record<string, number>>;
  /** Parameters in order; see data/parameters.ts. */
  readonly parameters: readonly { readonly name: string; readonly table: boolean }[];
}

/** Names never end in a number, as locals do. */
const own = (field: string) => `own_${field}_v`;
const other = (field: string) => `other_${field}_v`;
const output = (field: string) => `out_${field}_v`;
const parameter = (name: string) => `par_${name}_v`;

/** A cell or reduce functor: `(fields, params, n, zero)`. */
export function particleSource(plan: KernelPlan): KernelSource {
  const body = statementSource(plan.ir.body, envOf(plan));
  const text = `function (fields, params, n, zero) {
const row = this.thread.x + zero;
${parameterLines(plan)}${fieldLines(plan, 'row', own, 'i')}${outputLines(plan)}${body}${returned(plan)}
}`;
  return { text, functions: functionsOf(plan) };
}

/**
 * A pair functor over a full list: `(positions, ranges, list, shifts, fields, params, n, cutoff2, zero)`.
 *
 * Coordinates are split on the host into a multiple of 2⁻ᵏ, whose differences are exact in single precision, and a rest.
 */
export function pairSource(plan: KernelPlan): KernelSource {
  const body = statementSource(plan.ir.body, envOf(plan));
  const axis = (name: string, k: number) =>
    `const d${name} = ((own${name} - positions[from + ${k}.0]) + shifts[shift + ${k}.0]) + ((rest${name} - positions[from + ${k + 3}.0]) + shifts[shift + ${k + 3}.0]);`;
  const at = (name: string, k: number) =>
    `const own${name} = positions[6.0 * row + ${k}.0];\nconst rest${name} = positions[6.0 * row + ${k + 3}.0];`;
  const text = `function (positions, ranges, list, shifts, fields, params, n, cutoff2, zero) {
const row = this.thread.x + zero;
${['x', 'y', 'z'].map(at).join('\n')}
const first = ranges[2.0 * row];
const count = ranges[2.0 * row + 1.0];
${parameterLines(plan)}${fieldLines(plan, 'row', own, 'i')}${outputLines(plan)}let k = zero;
for (let turn = 0; turn < ${loopLimit}; turn++) {
if (k >= count) { break; }
const entry = 2.0 * (first + k);
const neighbor = list[entry];
const shift = 6.0 * list[entry + 1.0];
const from = 6.0 * neighbor;
${['x', 'y', 'z'].map(axis).join('\n')}
const r2 = (dx * dx + dy * dy) + dz * dz;
if (r2 < cutoff2) {
${fieldLines(plan, 'neighbor', other, 'j')}${body}}
k = k + 1.0;
}
${returned(plan)}
}`;
  return { text, functions: functionsOf(plan) };
}

function envOf(plan: KernelPlan): SourceEnv {
  const written = new Set([...plan.carried, ...Object.keys(plan.start)]);
  return {
    read(role, field) {
      if (role === 'p') return parameter(field);
      if (role === 'd') return field === 'r2' ? 'r2' : `d${field}`;
      if (role === 'j') return other(field);
      return role === 'acc' || written.has(field) ? output(field) : own(field);
    },
    item(_role, field, index) {
      const name = parameter(field);
      return `params[${name} + Math.min(Math.max(${index}, 0.0), last_${name})]`;
    },
    write(field, op, value) {
      const name = output(field);
      if (op === '=') return `${name} = ${value};`;
      if (op === 'max' || op === 'min') return `${name} = Math.${op}(${name}, ${value});`;
      return `${name} = ${name} ${op === '+=' ? '+' : '-'} ${value};`;
    },
  };
}

function functionsOf(plan: KernelPlan): string[] {
  const env = envOf(plan);
  return [...library, ...plan.ir.helpers.flatMap((helper) => helperSource(helper, env))];
}

function parameterLines({ parameters }: KernelPlan): string {
  let slot = 0;
  let text = '';
  for (const { name, table } of parameters) {
    text += `const ${parameter(name)} = params[${slot++}];\n`;
    if (table) text += `const last_${parameter(name)} = params[${slot++}];\n`;
  }
  return text;
}

function fieldLines(
  plan: KernelPlan,
  row: string,
  name: (field: string) => string,
  role: 'i' | 'j',
): string {
  const roles = plan.ir.roles[role] ?? {};
  return plan.fields
    .map((field, k) =>
      field in roles ? `const ${name(field)} = fields[${k}.0 * n + ${row}];\n` : '',
    )
    .join('');
}

function outputLines(plan: KernelPlan): string {
  const carried = [...plan.carried].map(
    (field) => `let ${output(field)} = zero + ${own(field)};\n`,
  );
  const fresh = Object.entries(plan.start).map(
    ([field, value]) =>
      `let ${output(field)} = zero + ${value === 0 ? '0.0' : value < 0 ? '(-3.0e38)' : '3.0e38'};\n`,
  );
  return [...carried, ...fresh].join('');
}

const returned = ({ outputs }: KernelPlan): string =>
  `return [${[0, 1, 2, 3].map((k) => (outputs[k] ? output(outputs[k]) : '0.0')).join(', ')}];`;
