import type { FunctorIR } from '../../functor/ir.js';
import { fieldUse } from '../../functor/passes/fieldUse.js';
import type { ParamSchema, PlainResults } from '../../functor/schema.js';
import type { JavaScriptEnv } from '../../lower/javascript/JavaScriptEnv.js';
import { lowerToJavaScript } from '../../lower/javascript/lowerToJavaScript.js';
import { ArgumentLayout } from '../Kernel.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { JavaScriptFrame, javaScriptParameters } from './javaScriptParameters.js';

const VIEW = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32', u64: 'U32' } as const;
const start = { sum: '0', max: '-Infinity', min: 'Infinity' } as const;

/** The JavaScript kernel of a cell or reduce functor: the same loop as particleWasm with one lane. */
export function particleJavaScript(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  results: PlainResults,
): { source: string; args: ArgumentLayout } {
  const frame = new JavaScriptFrame(new ArgumentLayout());
  const parameters = javaScriptParameters(frame, params);
  const use = fieldUse(ir);
  const written = use.writes.get('i') ?? new Set<string>();
  const used = bindings.filter(({ field }) => written.has(field) || use.reads.get('i')?.has(field));
  const local = (role: string, field: string) => `${role}$${field}`;
  const assign = (target: string, op: string, value: string): string =>
    op === 'max' || op === 'min'
      ? `${target} = Math.${op}(${target}, ${value});`
      : `${target} ${op} ${value};`;
  const types = new Map(used.map(({ field, type }) => [field, type]));

  const env: JavaScriptEnv = {
    read: (role, field) => (role === 'p' ? parameters.scalar(field) : local(role, field)),
    item: (_role, field, index) => parameters.item(field, index),
    write(role, field, op, value) {
      const target = local(role, field);
      const type = types.get(field);
      if (role === 'acc' || type === 'real' || op === '=') return assign(target, op, value);
      return `${target} = (${target} ${op[0]} ${value}) ${type === 'u32' ? '>>> 0' : '| 0'};`;
    },
    writeItem() {
      throw new Error('particle functors have no arrays');
    },
  };
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);

  const at = ({ storage, block, width, component }: FieldBinding): string => {
    const wide = storage === 'u64' ? 2 : 1; // ids: the low word of 64 bits
    const shift = storage === 'f64' ? 3 : 2;
    const base = frame.slot(
      `b$${block}`,
      argumentNames.block(block),
      'i32',
      (text) => `${text} >>> ${shift}`,
    );
    return `${VIEW[storage]}[${base} + ${wide * width} * row + ${wide * component}]`;
  };
  const declared = (binding: FieldBinding): string => {
    const cast =
      binding.type === 'i32' && binding.storage !== 'i32'
        ? ' | 0'
        : binding.type === 'u32'
          ? ' >>> 0'
          : '';
    return `let ${local('i', binding.field)} = ${at(binding)}${cast};`;
  };
  const particle = [
    ...used.map(declared),
    `functor: { ${body} }`,
    ...used
      .filter(({ field }) => written.has(field))
      .map((b) => `${at(b)} = ${local('i', b.field)};`),
  ].join('\n');

  const names = Object.keys(results);
  if (names.length === 0) {
    const source = frame.source(
      helpers,
      `${prologue}\nfor (let row = begin; row < end; row++) {\n${particle}\n}`,
    );
    return { source, args: frame.args };
  }
  const partials = frame.slot(
    'partials$',
    argumentNames.partials,
    'i32',
    (text) => `${text} >>> 3`,
  );
  const loop = [
    prologue,
    `for (let first = begin; first < end; first += ${PARTIAL}) {`,
    `const stop = Math.min(first + ${PARTIAL}, end);`,
    ...names.map((name) => `let ${local('acc', name)} = ${start[results[name]!]};`),
    `for (let row = first; row < stop; row++) {\n${particle}\n}`,
    ...names.map(
      (name, k) =>
        `F64[${partials} + first / ${PARTIAL} * ${names.length} + ${k}] = ${local('acc', name)};`,
    ),
    '}',
  ].join('\n');
  return { source: frame.source(helpers, loop), args: frame.args };
}
