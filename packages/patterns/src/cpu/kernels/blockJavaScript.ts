import type { FunctorIR } from '../../functor/ir.js';
import type { FieldSchema, ParamSchema } from '../../functor/schema.js';
import type { JavaScriptEnv } from '../../lower/javascript/JavaScriptEnv.js';
import { lowerToJavaScript } from '../../lower/javascript/lowerToJavaScript.js';
import { ArgumentLayout } from '../Kernel.js';
import { argumentNames } from './argumentNames.js';
import type { BoundArray } from './BoundArray.js';
import { JavaScriptFrame, javaScriptParameters } from './javaScriptParameters.js';

const VIEW = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32' } as const;

/** The JavaScript kernel of a block functor; the same rules for indices as blockWasm. */
export function blockJavaScript(
  ir: FunctorIR,
  arrays: readonly BoundArray[],
  types: FieldSchema,
  params: ParamSchema,
): { source: string; args: ArgumentLayout } {
  const frame = new JavaScriptFrame(new ArgumentLayout());
  const parameters = javaScriptParameters(frame, params);
  const unsigned = (text: string) => `${text} >>> 0`;
  const nx = () => frame.slot('nx$', argumentNames.nx, 'i32');
  const ny = () => frame.slot('ny$', argumentNames.ny, 'i32');
  const coordinates: Record<string, () => string> = {
    index: () => 'index$',
    x: () => `(index$ % ${nx()})`,
    y: () => `(Math.trunc(index$ / ${nx()}) % ${ny()})`,
    z: () => `Math.trunc(Math.trunc(index$ / ${nx()}) / ${ny()})`,
    lane: () => '0',
    size: () => '1',
  };
  const place = (field: string): { view: string; address: string } => {
    const { storage } = arrays.find(({ name }) => name === field)!;
    const shift = storage === 'f64' ? 3 : 2;
    const address = frame.slot(
      `a$${field}`,
      argumentNames.arrayAddress(field),
      'i32',
      (t) => `${t} >>> ${shift}`,
    );
    return { view: VIEW[storage], address };
  };

  const env: JavaScriptEnv = {
    read: (role, field) => (role === 'p' ? parameters.scalar(field) : coordinates[field]!()),
    item(role, field, index) {
      if (role === 'p') return parameters.item(field, index);
      const { view, address } = place(field);
      const last = frame.slot(`a$${field}$last`, argumentNames.arrayLast(field), 'i32', unsigned);
      return `${view}[${address} + Math.min((${index}) >>> 0, ${last})]`;
    },
    write() {
      throw new Error('block functors write arrays only');
    },
    writeItem(_role, field, index, op, value) {
      const { view, address } = place(field);
      const length = frame.slot(
        `a$${field}$length`,
        argumentNames.arrayLength(field),
        'i32',
        unsigned,
      );
      const refused = frame.slot('refused$', argumentNames.refused, 'i32', (t) => `${t} >>> 2`);
      const number = 1 + arrays.findIndex(({ name }) => name === field);
      const element = `${view}[${address} + k$]`;
      const wrap = types[field] === 'real' ? value : `(${value})`; // int views truncate to 32 bits by themselves
      return `{ const k$ = (${index}) >>> 0; if (k$ < ${length}) ${element} ${op} ${wrap}; else { I32[${refused} + 1] = k$; I32[${refused}] = ${number}; } }`;
    },
  };
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);
  const loop = `${prologue}\nfor (let index$ = begin; index$ < end; index$++) {\nfunctor: { ${body} }\n}`;
  return { source: frame.source(helpers, loop), args: frame.args };
}
