import type { StorageType } from '@corpuscle/core';
import type { AddressType } from '@corpuscle/functor/wasm';
import type { ArgumentLayout, SlotType } from '../Kernel.js';
import type { FieldPlace, PairParameter } from '../pair/PairPlan.js';
import { slotNames } from '../pair/wasm/pairSlots.js';
import { indexText } from '../wordShift.js';

const VIEWS = { f64: 'F64', f32: 'F32', u32: 'U32', i32: 'I32', u64: 'U32' } as const;
const SHIFTS = { f64: 3, f32: 2, u32: 2, i32: 2, u64: 2 } as const;
// Ids are 64 bits wide; functors read their low half.
const STRIDES = { f64: 1, f32: 1, u32: 1, i32: 1, u64: 2 } as const;

/** A number to be added, as text; nothing for zero. */
export const plus = (n: number): string => (n === 0 ? '' : ` + ${n}`);

/** Bits by which an address becomes an index into the view of its storage. */
export const viewShift = (storage: StorageType): number => SHIFTS[storage];

/** An element of a field in generated JavaScript; `base` is the index of row 0 in its view. */
export function elementText(base: string, row: string, place: FieldPlace): string {
  const stride = place.width * STRIDES[place.storage];
  return `${VIEWS[place.storage]}[${base} + ${stride === 1 ? row : `${stride} * ${row}`}]`;
}

/** Constants that a kernel in generated JavaScript reads from its argument record, in order. */
export class HeapText {
  readonly lines: string[] = [];
  readonly #args: ArgumentLayout;
  readonly #addresses: AddressType;

  constructor(args: ArgumentLayout, addresses: AddressType) {
    this.#args = args;
    this.#addresses = addresses;
  }

  declare(name: string, value: string): void {
    this.lines.push(`const ${name} = ${value};`);
  }

  /** The value of a slot of the argument record. */
  slot(name: string, type: SlotType): string {
    const offset = this.#args.slot(name, type);
    return type === 'f64'
      ? `F64[(${this.index('$args', 3)})${plus(offset / 8)}]`
      : `U32[(${this.index('$args', 2)})${plus(offset / 4)}]`;
  }

  /** Where the address that a word names is in a view of elements of 2^shift bytes. */
  index(word: string, shift: number): string {
    return indexText(word, shift, this.#addresses);
  }

  /** The same of an address in a slot of the argument record. */
  address(name: string, shift: number): string {
    return this.index(this.slot(name, 'address'), shift);
  }

  /** Where fields begin: one constant `prefix` + field for each. */
  declareFields(
    prefix: string,
    places: readonly FieldPlace[],
    nameOf: (field: string) => string,
  ): void {
    for (const { field, storage } of places)
      this.declare(`${prefix}${field}`, this.address(nameOf(field), SHIFTS[storage]));
  }

  /** Parameters: `$p_name` is a value or where a table begins, `$last_name` the highest index of a table. */
  declareParameters(parameters: readonly PairParameter[]): void {
    for (const { name, type, table } of parameters) {
      const slot = slotNames.parameter(name);
      if (table) {
        this.declare(`$p_${name}`, this.address(slot, type === 'real' ? 3 : 2));
        this.declare(`$last_${name}`, this.slot(slotNames.last(name), 'i32'));
        continue;
      }
      const value = this.slot(slot, type === 'real' ? 'f64' : 'i32');
      this.declare(`$p_${name}`, type === 'i32' ? `${value} | 0` : value);
    }
  }
}
