import type { StorageType } from '@corpuscle/core';
import type { PairOutput, PairPlan } from './PairPlan.js';

/** A block that a pair call writes, with its outputs by component. */
export interface OutputBlock {
  readonly block: string;
  readonly width: number;
  readonly storage: StorageType;
  readonly members: readonly (PairOutput | undefined)[];
}

const blocksOf = new WeakMap<PairPlan, readonly OutputBlock[]>();
const totalsOf = new WeakMap<PairPlan, readonly PairOutput[]>();

/** The blocks that outputs go to, in the order of the outputs. */
export function outputBlocks(plan: PairPlan): readonly OutputBlock[] {
  let blocks = blocksOf.get(plan);
  if (!blocks) {
    blocks = collectBlocks(plan);
    blocksOf.set(plan, blocks);
  }
  return blocks;
}

/** Outputs that are summed over all particles, in order. */
export function totalOutputs(plan: PairPlan): readonly PairOutput[] {
  let totals = totalsOf.get(plan);
  if (!totals) {
    totals = plan.outputs.filter((o) => o.total);
    totalsOf.set(plan, totals);
  }
  return totals;
}

/** Totals that the kernel itself adds up, a number for each thread: those of outputs, then those of moments. */
export const totalsOfThread = (plan: PairPlan): number =>
  totalOutputs(plan).length + plan.moments.length;

function collectBlocks(plan: PairPlan): OutputBlock[] {
  const blocks = new Map<
    string,
    { width: number; storage: StorageType; members: (PairOutput | undefined)[] }
  >();
  for (const output of plan.outputs) {
    if (!output.place) continue;
    const { block, width, storage, component } = output.place;
    let entry = blocks.get(block);
    if (!entry) {
      entry = { width, storage, members: new Array(width).fill(undefined) };
      blocks.set(block, entry);
    }
    entry.members[component] = output;
  }
  return Array.from(blocks, ([block, entry]) => ({ block, ...entry }));
}

/**
 * The record of one thread, words of addresses and i32:
 *
 *   entries, indices   addresses of its list segment
 *   base               number of its first entry, counting over all threads
 *   totals             address of its partial totals, f64
 *   scratch            address of memory of its own, see `scratchBytes`
 *   padding            the row that pads runs
 *   outputs …          where row 0 of each output block is for this thread
 */
export const threadRecord = {
  entries: 0,
  indices: 4,
  base: 8,
  totals: 12,
  scratch: 16,
  padding: 20,
  outputs: 24,
  bytes: (blocks: number): number => 24 + 4 * blocks,
} as const;

/** Neighbors that are worked on at a time: more are taken in several turns. */
export const BUFFER_LENGTH = 128;

/** Vectors that scratch memory holds of each quantity. */
export const SCRATCH_VECTORS = 96;

/** Bytes of a row of vectors in scratch memory: room for a few after, and no multiple of 4096. */
export const SLOT_BYTES = 16 * (SCRATCH_VECTORS + 12);

/** Rows of vectors that a kernel may keep: differences, r2 and its root, a factor, one for each output. */
export const scratchSlots = (plan: PairPlan): number => 12 + plan.outputs.length;

/** Per-thread scratch: indices that the buffered form packs, and rows of vectors (see `StageScratch`). */
export const scratchBytes = (plan: PairPlan): number =>
  4 * (BUFFER_LENGTH + 16) + SLOT_BYTES * scratchSlots(plan);
