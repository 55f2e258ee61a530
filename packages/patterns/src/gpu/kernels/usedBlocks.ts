/** Blocks as a kernel names them. */
export type UsedBlocks = readonly { readonly name: string; readonly written?: boolean }[];

/** Stands for the low parts of positions among the blocks of a kernel. */
export const LOW = 'position.low';

const AFTER = '.next';

/** Stands, among the blocks of a kernel, for the second buffer of a block: the kernel writes it while the rows before are still wanted. */
export const nextOf = (block: string): string => block + AFTER;

/** The second buffer of positions: others still read those before. */
export const NEXT = nextOf('position');

export const isNext = (name: string): boolean => name.endsWith(AFTER);

/** The block that a name among those of a kernel stands for. */
export const blockOf = (name: string): string =>
  name === LOW ? 'position' : isNext(name) ? name.slice(0, -AFTER.length) : name;

/** No block. */
export const NOTHING: ReadonlySet<string> = new Set();
