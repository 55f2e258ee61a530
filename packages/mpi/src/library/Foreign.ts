import type { LibraryHandle } from 'koffi';

/** A function of a C library. */
export type ForeignFunction = (...args: (ArrayBufferView | bigint | number | null)[]) => number;

/** A C library that is loaded at run time. */
export interface Foreign {
  /** A function that gives an int. @param types its parameters in C */
  function(name: string, types: readonly string[]): ForeignFunction;
  /** The address of something that the library exports; null where it does not. */
  find(name: string): bigint | null;
}

/**
 * Loads a library by name or path; null where there is none.
 * @throws where koffi, which calls it, is not installed
 */
export async function loadForeign(name: string): Promise<Foreign | null> {
  const { default: koffi } = await import('koffi');
  let library: LibraryHandle;
  try {
    library = koffi.load(name);
  } catch {
    return null;
  }
  return {
    function: (symbol, types) => library.func(symbol, 'int', [...types]) as ForeignFunction,
    find(symbol) {
      try {
        return library.symbol(symbol) as bigint;
      } catch {
        return null;
      }
    },
  };
}
