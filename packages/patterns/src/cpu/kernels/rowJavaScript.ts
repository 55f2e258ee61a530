import type { FunctorIR } from '../../functor/ir.js';
import { fieldUse } from '../../functor/passes/fieldUse.js';
import type { ParamSchema } from '../../functor/schema.js';
import type { JavaScriptEnv } from '../../lower/javascript/JavaScriptEnv.js';
import { lowerToJavaScript } from '../../lower/javascript/lowerToJavaScript.js';
import { ArgumentLayout } from '../Kernel.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { JavaScriptFrame, javaScriptParameters } from './javaScriptParameters.js';
import type { RowOptions } from './rowWasm.js';

const VIEW = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32', u64: 'U32' } as const;

/** The JavaScript kernel of a cell or reduce functor: the same loops as rowWasm. */
export function rowJavaScript(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  { listed, record }: RowOptions,
): { source: string; args: ArgumentLayout } {
  const frame = new JavaScriptFrame(new ArgumentLayout());
  const parameters = javaScriptParameters(frame, params);
  const use = fieldUse(ir);
  const written = use.writes.get('i') ?? new Set<string>();
  const used = bindings.filter(({ field }) => written.has(field) || use.reads.get('i')?.has(field));
  const types = new Map(used.map(({ field, type }) => [field, type]));
  const local = (field: string) => `i$${field}`;
  const element = (field: string, index: string): string =>
    field === 'ids' ? `U32[ids$ + ${index}]` : `F64[reals$ + ${index}]`;

  const env: JavaScriptEnv = {
    read: (role, field) => (role === 'p' ? parameters.scalar(field) : local(field)),
    item: (role, field, index) =>
      role === 'p' ? parameters.item(field, index) : element(field, index),
    write(_role, field, op, value) {
      const target = local(field);
      const type = types.get(field);
      if (type === 'real' || op === '=') return `${target} ${op} ${value};`;
      return `${target} = (${target} ${op[0]} ${value}) ${type === 'u32' ? '>>> 0' : '| 0'};`;
    },
    writeItem: (_role, field, index, op, value) => `${element(field, index)} ${op} ${value};`,
  };
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);

  const at = ({ storage, block, width, component }: FieldBinding): string => {
    const wide = storage === 'u64' ? 2 : 1; // ids: the low word of 64 bits
    const shift = storage === 'f64' ? 3 : 2;
    const slot = argumentNames.block(block);
    const base = frame.slot(`b$${block}`, slot, 'i32', (text) => `${text} >>> ${shift}`);
    return `${VIEW[storage]}[${base} + ${wide * width} * row + ${wide * component}]`;
  };
  const load = (b: FieldBinding): string => {
    const cast =
      b.type === 'u32' ? ' >>> 0' : b.type === 'i32' && b.storage !== 'i32' ? ' | 0' : '';
    return `let ${local(b.field)} = ${at(b)}${cast};`;
  };
  const list = listed
    ? frame.slot('list$', argumentNames.list, 'i32', (text) => `${text} >>> 2`)
    : null;
  const particles = (begin: string, end: string): string =>
    [
      `for (let k$ = ${begin}; k$ < ${end}; k$++) {`,
      `const row = ${list ? `I32[${list} + k$]` : 'k$'};`,
      ...used.map(load),
      `functor: { ${body} }`,
      ...used.filter(({ field }) => written.has(field)).map((b) => `${at(b)} = ${local(b.field)};`),
      '}',
    ].join('\n');

  if (record === null) {
    const source = frame.source(helpers, `${prologue}\n${particles('begin', 'end')}`);
    return { source, args: frame.args };
  }
  const partials = frame.slot(
    'partials$',
    argumentNames.partials,
    'i32',
    (text) => `${text} >>> 0`,
  );
  const loop = [
    prologue,
    `for (let first = begin; first < end; first += ${PARTIAL}) {`,
    `const reals$ = (${partials} + first / ${PARTIAL} * ${record.bytes}) >>> 3;`,
    `const ids$ = 2 * (reals$ + ${record.reals});`,
    particles('first', `Math.min(first + ${PARTIAL}, end)`),
    '}',
  ].join('\n');
  return { source: frame.source(helpers, loop), args: frame.args };
}
