import type { Grid } from '@corpuscle/core';
import type { Members, Multiset } from './Members.js';

/** Numbers 1 … of all particles, which go with them when they are sorted. */
export const labelBlock = {
  name: 'coordination_label',
  type: 'u32',
  width: 1,
  members: ['cnlabel'],
} as const;

const generations = new WeakMap<Grid, number>();

/** How often the particles of a grid have been labeled: earlier labels are void then. */
export const labelGeneration = (grid: Grid): number => generations.get(grid) ?? 0;

/** The labels of a grid's particles by rows; they must be current on the host, and are made where they are not complete. */
export function labelsOf(grid: Grid): Uint32Array {
  const block = grid.block(labelBlock.name);
  const labels = (block.array as Uint32Array).subarray(0, grid.count);
  const seen = new Uint8Array(grid.count + 1);
  const complete = labels.every((label) => {
    const isNew = label >= 1 && label <= grid.count && seen[label] === 0;
    seen[label] = 1;
    return isNew;
  });
  if (complete) return labels;
  for (let row = 0; row < grid.count; row++) labels[row] = row + 1;
  block.hostWritten();
  generations.set(grid, labelGeneration(grid) + 1);
  return labels;
}

/**
 * Members with labels where rows were. Groups are in the order of labels, and so the order of sums does not depend on when they
 * are looked up: a run that goes on from a checkpoint looks them up again.
 */
export function inLabels(members: Members, labels: Uint32Array): Members {
  const named = (rows: Uint32Array): Uint32Array => rows.map((row) => labels[row]!);
  const set = ({ rows, weights }: Multiset): Multiset => {
    const order = Uint32Array.from(rows.keys()).sort(
      (p, q) => labels[rows[p]!]! - labels[rows[q]!]!,
    );
    const weightOf = Float64Array.from(order, (k) => weights[k]!);
    return { rows: named(rows).sort(), weights: weightOf };
  };
  const { slotsA, slotsB, a, b } = members;
  return { ...members, slotsA: named(slotsA), slotsB: named(slotsB), a: set(a), b: set(b) };
}
