import type { ParamSchema } from '@corpuscle/functor';
import type { AddressType } from '@corpuscle/functor/wasm';
import { ArgumentLayout, type SlotType } from '../Kernel.js';
import { indexText } from '../wordShift.js';
import { argumentNames } from './argumentNames.js';
import { plus } from './HeapText.js';
import { heapViews } from './heapViews.js';

/**
 * The frame of a JavaScript kernel: views of the shared heap, renewed when it has grown, and constants read from the
 * argument record at `args`. Names that scaffolds use contain a `$`, which names made by the lowering do not.
 */
export class JavaScriptFrame {
  readonly args = new ArgumentLayout();
  readonly #addresses: AddressType;
  #declarations: string[] = [];
  #declared = new Set<string>();

  constructor(addresses: AddressType) {
    this.#addresses = addresses;
  }

  /** Declares `const name` from a slot. */
  slot(
    name: string,
    slot: string,
    type: SlotType,
    map: (text: string) => string = (text) => text,
  ): string {
    if (!this.#declared.has(name)) {
      this.#declared.add(name);
      const offset = this.args.slot(slot, type);
      const read =
        type === 'f64'
          ? `F64[(${this.#index('args', 3)})${plus(offset / 8)}]`
          : `I32[(${this.#index('args', 2)})${plus(offset / 4)}]`;
      this.#declarations.push(`const ${name} = ${map(read)};`);
    }
    return name;
  }

  /** Declares `const name`, where the address in a slot is in a view of elements of 2^shift bytes. */
  address(name: string, slot: string, shift: number): string {
    return this.slot(name, slot, 'address', (word) => this.#index(word, shift));
  }

  #index(word: string, shift: number): string {
    return indexText(word, shift, this.#addresses);
  }

  /** The whole kernel: `body` sees the views, the declared slots, begin, end and thread. */
  source(helpers: string, body: string): string {
    return [
      '"use strict";',
      heapViews.declare,
      helpers,
      'return function run(args, begin, end, thread) {',
      heapViews.renew,
      'args = args >>> 0;',
      ...this.#declarations,
      body,
      '};',
    ].join('\n');
  }
}

/** How a JavaScript kernel reads `p.eps` and `p.table[k]`. */
export function javaScriptParameters(frame: JavaScriptFrame, schema: ParamSchema) {
  return {
    scalar(name: string): string {
      const type = schema[name];
      if (type === 'real') return frame.slot(`p$${name}`, argumentNames.param(name), 'f64');
      const unsigned = (text: string) => (type === 'u32' ? `${text} >>> 0` : text);
      return frame.slot(`p$${name}`, argumentNames.param(name), 'i32', unsigned);
    },
    item(name: string, index: string): string {
      const type = (schema[name] ?? 'real[]').slice(0, -2);
      const [view, shift] =
        type === 'real' ? (['F64', 3] as const) : ([type === 'i32' ? 'I32' : 'U32', 2] as const);
      const slot = argumentNames.tableAddress(name);
      const address = frame.address(`p$${name}$address`, slot, shift);
      const last = frame.slot(
        `p$${name}$last`,
        argumentNames.tableLast(name),
        'i32',
        (t) => `${t} >>> 0`,
      );
      return `${view}[${address} + Math.min((${index}) >>> 0, ${last})]`;
    },
  };
}
