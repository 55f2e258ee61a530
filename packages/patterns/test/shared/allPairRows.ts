import {
  computeCellParticlePairs,
  createArray,
  type ExecutionContext,
  newestOnHost,
  type SharedArray,
  updateNeighbors,
} from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import {
  agrees,
  boxes,
  bruteForce,
  mutual,
  oneSided,
  outputs,
  particles,
} from './allPairSystems.js';

/** All pairs of some particles: sets of rows, lists, and labels. */
export function describeRows(context: () => ExecutionContext, tolerance: number): void {
  it('meet between two sets of rows', async () => {
    const ctx = context();
    const grid = particles(ctx, boxes.orthorhombic, 150);
    const rows = [140, 3, 4, 5, 77, 12, 100];
    const others = Array.from({ length: 131 }, (_, k) => k + 2);
    const central = createArray(ctx, 'u32', rows.length);
    const neighbors = createArray(ctx, 'u32', others.length);
    central.write(rows);
    neighbors.write(others);
    const options = { rcut: 1.4, params: { k: 0.3 }, outputs };
    const two = { central, neighbors };
    const totals = await computeCellParticlePairs(grid, oneSided, ctx, {
      ...options,
      allPairs: two,
    });
    await newestOnHost(grid, ctx);
    agrees(tolerance, grid, totals, bruteForce(grid, 1.4, { rows, others }));
    // One set, each pair once.
    (grid.block('force').array as Float64Array).fill(0);
    grid.block('force').hostWritten();
    const one = { central: neighbors, neighbors };
    const own = await computeCellParticlePairs(grid, mutual, ctx, { ...options, allPairs: one });
    await newestOnHost(grid, ctx);
    agrees(tolerance, grid, own, bruteForce(grid, 1.4, { rows: others, others }));
    for (const thing of [grid, central, neighbors]) thing.free();
  });

  it('meet as they are listed', async () => {
    const ctx = context();
    const lists = [[7, 8, 8, 3], [], [140], [149, 12, 0, 5], [4]];
    const [rows, others] = [[3, 140, 12, 77, 5], lists.flat()];
    const starts = [0, 4, 4, 5, 9, 10];
    const arrays = [rows, others, starts].map((values) => {
      const array = createArray(ctx, 'u32', values.length);
      array.write(values);
      return array;
    });
    const [central, neighbors, first] = arrays as [SharedArray, SharedArray, SharedArray];
    for (const domain of [boxes.orthorhombic, boxes['far from reduced']])
      for (const rcut of [1.4, Number.POSITIVE_INFINITY]) {
        const grid = particles(ctx, domain, 150);
        const totals = await computeCellParticlePairs(grid, oneSided, ctx, {
          rcut,
          params: { k: 0.3 },
          outputs,
          allPairs: { central, neighbors, starts: first },
        });
        await newestOnHost(grid, ctx);
        agrees(tolerance, grid, totals, bruteForce(grid, rcut, { rows, others, starts }));
        grid.free();
      }
    for (const array of arrays) array.free();
  });

  it('are found by labels, also when particles have been sorted', async () => {
    const ctx = context();
    const grid = particles(ctx, boxes.orthorhombic, 150);
    const block = grid.addBlock({ name: 'tag', type: 'u32', width: 1, members: ['tag'] });
    const tags = () => [...(block.array as Uint32Array).subarray(0, 150)];
    (block.array as Uint32Array).set(tags().map((_, row) => 150 - row));
    block.hostWritten();
    const named = [[140, 3, 4, 77], Array.from({ length: 131 }, (_, k) => k + 2)];
    const [central, neighbors] = named.map((values) => {
      const array = createArray(ctx, 'u32', values.length);
      array.write(values);
      return array;
    }) as [SharedArray, SharedArray];
    await updateNeighbors(grid, ctx, { rcut: 0.5, skin: 0.1 });
    const allPairs = { central, neighbors, labels: 'tag' };
    const options = { rcut: 1.4, params: { k: 0.3 }, outputs };
    const totals = await computeCellParticlePairs(grid, oneSided, ctx, { ...options, allPairs });
    await newestOnHost(grid, ctx);
    const rowOf = new Map(tags().map((tag, row) => [tag, row]));
    const [rows, others] = named.map((all) => all.map((tag) => rowOf.get(tag)!));
    agrees(tolerance, grid, totals, bruteForce(grid, 1.4, { rows: rows!, others: others! }));
    expect(() =>
      computeCellParticlePairs(grid, oneSided, ctx, { ...options, allPairs: { labels: 'rx' } }),
    ).toThrow('give a u32 field');
    for (const thing of [grid, central, neighbors]) thing.free();
  });
}
