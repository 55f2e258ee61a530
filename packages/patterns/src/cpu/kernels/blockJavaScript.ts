import type { FieldSchema, ParamSchema } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import type { AddressType } from '@corpuscle/functor/wasm';
import type { ArgumentLayout } from '../Kernel.js';
import { argumentNames } from './argumentNames.js';
import type { BlockLayout } from './BlockLayout.js';
import type { BoundArray } from './BoundArray.js';
import { JavaScriptFrame, javaScriptParameters } from './javaScriptParameters.js';

const VIEW = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32' } as const;

/** The JavaScript kernel of a block functor; the same rules for indices as blockWasm. */
export function blockJavaScript(
  ir: FunctorIR,
  arrays: readonly BoundArray[],
  types: FieldSchema,
  params: ParamSchema,
  layout: BlockLayout,
  addresses: AddressType,
): { source: string; args: ArgumentLayout } {
  const frame = new JavaScriptFrame(addresses);
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
    const address = frame.address(`a$${field}`, argumentNames.arrayAddress(field), shift);
    return { view: VIEW[storage], address };
  };

  const refusals = () => frame.address('refused$', argumentNames.refused, 2);
  const shared = (field: string) => {
    const k = layout.shared.findIndex(({ name }) => name === field);
    const { storage, offset, length } = layout.shared[k]!;
    const isReal = storage === 'f64';
    const base = isReal ? `(scratch$ >>> 1) + ${offset / 8}` : `scratch$ + ${offset / 4}`;
    return { view: VIEW[storage], base, length, isReal, number: 1 + arrays.length + k };
  };

  const env: JavaScriptEnv = {
    read: (role, field) => (role === 'p' ? parameters.scalar(field) : coordinates[field]!()),
    item(role, field, index) {
      if (role === 'p') return parameters.item(field, index);
      if (role === 'acc') return `F64[record$ + ${index}]`;
      if (role === 'b') {
        const { view, base, length } = shared(field);
        return `${view}[${base} + Math.min((${index}) >>> 0, ${length - 1})]`;
      }
      const { view, address } = place(field);
      const last = frame.slot(`a$${field}$last`, argumentNames.arrayLast(field), 'i32', unsigned);
      return `${view}[${address} + Math.min((${index}) >>> 0, ${last})]`;
    },
    write() {
      throw new Error('block functors write arrays only');
    },
    writeItem(role, field, index, op, value) {
      if (role === 'acc') return `F64[record$ + ${index}] = ${value};`;
      if (role === 'b') {
        const { view, base, length, number, isReal } = shared(field);
        const refuse = `I32[${refusals()} + 1] = k$; I32[${refusals()}] = ${number};`;
        return `{ const k$ = (${index}) >>> 0; if (k$ < ${length}) ${view}[${base} + k$] ${op} ${isReal ? value : `(${value})`}; else { ${refuse} } }`;
      }
      const { view, address } = place(field);
      const length = frame.slot(
        `a$${field}$length`,
        argumentNames.arrayLength(field),
        'i32',
        unsigned,
      );
      const refused = refusals();
      const number = 1 + arrays.findIndex(({ name }) => name === field);
      const element = `${view}[${address} + k$]`;
      const wrap = types[field] === 'real' ? value : `(${value})`; // int views truncate to 32 bits by themselves
      return `{ const k$ = (${index}) >>> 0; if (k$ < ${length}) ${element} ${op} ${wrap}; else { I32[${refused} + 1] = k$; I32[${refused}] = ${number}; } }`;
    },
  };
  const { helpers, prologue, body } = lowerToJavaScript(ir, env);
  const { sharedBytes, reals } = layout;
  const before: string[] = [];
  const each: string[] = [];
  if (sharedBytes > 0) {
    const all = frame.address('shared$', argumentNames.scratch, 2);
    before.push(`const scratch$ = ${all} + thread * ${sharedBytes / 4};`);
    each.push(`F64.fill(0, scratch$ >>> 1, (scratch$ >>> 1) + ${sharedBytes / 8});`);
  }
  if (reals > 0) {
    const records = frame.address('partials$', argumentNames.partials, 3);
    const share = frame.slot('perRecord$', argumentNames.perRecord, 'i32');
    each.push(`const record$ = ${records} + Math.floor(index$ / ${share}) * ${reals};`);
  }
  const loop = `${prologue}${before.join('')}\nfor (let index$ = begin; index$ < end; index$++) {\n${each.join('\n')}\nfunctor: { ${body} }\n}`;
  return { source: frame.source(helpers, loop), args: frame.args };
}
