/** Blocks as a kernel names them. */
export type UsedBlocks = readonly { readonly name: string; readonly written?: boolean }[];

/** Stands for the low parts of positions among the blocks of a kernel. */
export const LOW = 'position.low';

/** Stands, among the blocks of a kernel, for positions that it writes while others still read those before. */
export const NEXT = 'position.next';

/** No block. */
export const NOTHING: ReadonlySet<string> = new Set();
