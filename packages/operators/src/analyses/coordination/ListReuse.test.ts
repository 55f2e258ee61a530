import { SharedHeap } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { createGrid } from '../../system/createGrid.js';
import { ListReuse } from './ListReuse.js';

const makeGrid = () =>
  createGrid(frameOfPositions([[0, 0, 0]]), [{ name: 'A', mass: 1 }], new SharedHeap(1));

/** A grid whose first frame has been seen. */
function begun() {
  const reuse = new ListReuse();
  const grid = makeGrid();
  reuse.note(grid, false, true);
  return { reuse, grid, lasts: () => reuse.ask(grid).lasts };
}

it('lets lists last from the second frame of a grid on', () => {
  const reuse = new ListReuse();
  const grid = makeGrid();
  expect(reuse.ask(grid).lasts).toBe(false);
  reuse.note(grid, false, true);
  expect(reuse.ask(grid).lasts).toBe(true);
  expect(reuse.ask(makeGrid()).lasts).toBe(false);
});

it('gives up after four rebuilds in a row, and tries again 32 frames later', () => {
  const { reuse, grid, lasts } = begun();
  for (let frame = 0; frame < 4; frame++) {
    expect(lasts()).toBe(true);
    reuse.note(grid, true, true);
  }
  for (let frame = 0; frame < 32; frame++) {
    expect(lasts()).toBe(false);
    reuse.note(grid, false, true);
  }
  expect(lasts()).toBe(true);
});

it('counts only rebuilds in a row', () => {
  const { reuse, grid, lasts } = begun();
  for (let frame = 0; frame < 40; frame++) {
    reuse.note(grid, true, frame % 4 !== 3);
    expect(lasts()).toBe(true);
  }
});
