import type { ParamSchema, PlainResults } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import type { AddressType } from '@corpuscle/functor/wasm';
import type { ArgumentLayout } from '../Kernel.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { JavaScriptFrame, javaScriptParameters } from './javaScriptParameters.js';
import { javaScriptRows } from './javaScriptRows.js';

const start = { sum: '0', max: '-Infinity', min: 'Infinity' } as const;

/** The JavaScript kernel of a cell or reduce functor: the same loop as particleWasm with one lane. */
export function particleJavaScript(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  results: PlainResults,
  addresses: AddressType,
): { source: string; args: ArgumentLayout } {
  const frame = new JavaScriptFrame(addresses);
  const parameters = javaScriptParameters(frame, params);
  const rows = javaScriptRows(frame, ir, bindings);
  const result = (name: string) => `acc$${name}`;

  const env: JavaScriptEnv = {
    read(role, field) {
      if (role === 'p') return parameters.scalar(field);
      return role === 'acc' ? result(field) : rows.local(field);
    },
    item: (_role, field, index) => parameters.item(field, index),
    write(role, field, op, value) {
      const target = result(field);
      if (op === 'max' || op === 'min') return `${target} = Math.${op}(${target}, ${value});`;
      return role === 'acc' ? `${target} ${op} ${value};` : rows.change(field, op, value);
    },
    writeItem() {
      throw new Error('particle functors have no arrays');
    },
  };
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);

  const particle = rows.around(body);
  const names = Object.keys(results);
  if (names.length === 0) {
    const source = frame.source(
      helpers,
      `${prologue}\nfor (let row = begin; row < end; row++) {\n${particle}\n}`,
    );
    return { source, args: frame.args };
  }
  const partials = frame.address('partials$', argumentNames.partials, 3);
  const loop = [
    prologue,
    `for (let first = begin; first < end; first += ${PARTIAL}) {`,
    `const stop = Math.min(first + ${PARTIAL}, end);`,
    ...names.map((name) => `let ${result(name)} = ${start[results[name]!]};`),
    `for (let row = first; row < stop; row++) {\n${particle}\n}`,
    ...names.map(
      (name, k) =>
        `F64[${partials} + first / ${PARTIAL} * ${names.length} + ${k}] = ${result(name)};`,
    ),
    '}',
  ].join('\n');
  return { source: frame.source(helpers, loop), args: frame.args };
}
