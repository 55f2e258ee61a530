import { type AddressType, WIDE_WORD_SHIFT } from '@corpuscle/functor/wasm';

/** Bits by which a word is shifted to be the index of an element of 2^shift bytes, as an unsigned number: `word >>> bits`. */
export const wordShift = (addresses: AddressType, shift: number): number =>
  addresses === 'i64' ? shift - WIDE_WORD_SHIFT : shift;

/** The same in generated JavaScript. */
export const indexText = (word: string, shift: number, addresses: AddressType): string =>
  `${word} >>> ${wordShift(addresses, shift)}`;
