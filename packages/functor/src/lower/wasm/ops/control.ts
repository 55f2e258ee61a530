import type { WasmNode } from '../WasmNode.js';

/** Instructions on ranges of the memory, in bytes. */
export const memory = {
  /** memory.fill(address, byte, length) */
  fill: (address: WasmNode, byte: WasmNode, length: WasmNode): WasmNode => [
    'memory.fill',
    address,
    byte,
    length,
  ],
  /** memory.copy(to, from, length) */
  copy: (to: WasmNode, from: WasmNode, length: WasmNode): WasmNode => [
    'memory.copy',
    to,
    from,
    length,
  ],
  fence: (): WasmNode => ['atomic.fence'],
};

/** `condition ? then : otherwise`; both are computed. */
export const select = (condition: WasmNode, then: WasmNode, otherwise: WasmNode): WasmNode => [
  'select',
  then,
  otherwise,
  condition,
];

/** A call of another function of the module, or of `math.<name>`. */
export const call = (name: string, ...args: readonly WasmNode[]): WasmNode => [
  'call',
  name,
  ...args,
];

/**
 * The address that a word names. Whatever is computed from it by additions, differences and selections is an address too;
 * numbers that are added to it are signed, and those that are added as they were loaded are not negative.
 */
export const address = (word: WasmNode): WasmNode => ['address', word];

/** Computes a value and forgets it. */
export const drop = (value: WasmNode): WasmNode => ['drop', value];
