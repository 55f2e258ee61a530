import type { ParamSchema } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import type { AddressType } from '@corpuscle/functor/wasm';
import type { ArgumentLayout } from '../Kernel.js';
import { argumentNames, PARTIAL } from './argumentNames.js';
import type { FieldBinding } from './FieldBinding.js';
import { JavaScriptFrame, javaScriptParameters } from './javaScriptParameters.js';
import { javaScriptRows } from './javaScriptRows.js';
import type { RowOptions } from './rowWasm.js';

/** The JavaScript kernel of a cell or reduce functor: the same loops as rowWasm. */
export function rowJavaScript(
  ir: FunctorIR,
  bindings: readonly FieldBinding[],
  params: ParamSchema,
  { listed, record }: RowOptions,
  addresses: AddressType,
): { source: string; args: ArgumentLayout } {
  const frame = new JavaScriptFrame(addresses);
  const parameters = javaScriptParameters(frame, params);
  const rows = javaScriptRows(frame, ir, bindings);
  const element = (field: string, index: string): string =>
    field === 'ids' ? `U32[ids$ + ${index}]` : `F64[reals$ + ${index}]`;

  const env: JavaScriptEnv = {
    read: (role, field) => (role === 'p' ? parameters.scalar(field) : rows.local(field)),
    item: (role, field, index) =>
      role === 'p' ? parameters.item(field, index) : element(field, index),
    write(_role, field, op, value) {
      if (op === 'max' || op === 'min') throw new Error('rows have no extremes');
      return rows.change(field, op, value);
    },
    writeItem: (_role, field, index, op, value) => `${element(field, index)} ${op} ${value};`,
  };
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);

  const list = listed ? frame.address('list$', argumentNames.list, 2) : null;
  const particles = (begin: string, end: string): string =>
    [
      `for (let k$ = ${begin}; k$ < ${end}; k$++) {`,
      `const row = ${list ? `I32[${list} + k$]` : 'k$'};`,
      rows.around(body),
      '}',
    ].join('\n');

  if (record === null) {
    const source = frame.source(helpers, `${prologue}\n${particles('begin', 'end')}`);
    return { source, args: frame.args };
  }
  const partials = frame.address('partials$', argumentNames.partials, 3);
  const loop = [
    prologue,
    `for (let first = begin; first < end; first += ${PARTIAL}) {`,
    `const reals$ = ${partials} + first / ${PARTIAL} * ${record.bytes / 8};`,
    `const ids$ = 2 * (reals$ + ${record.reals});`,
    particles('first', `Math.min(first + ${PARTIAL}, end)`),
    '}',
  ].join('\n');
  return { source: frame.source(helpers, loop), args: frame.args };
}
