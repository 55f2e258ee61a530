import { createExecutionContext } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { createGrid } from '../../system/createGrid.js';
import { lattice } from '../../system/lattice/lattice.js';
import { shrunkBox } from './shrinkWrap.js';

it('says that there are no particles for faces to follow', async () => {
  const ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  try {
    const size = { structure: 'fcc', density: 0.8, repeat: [2, 2, 2] } as const;
    const grid = createGrid(lattice(size), [{ name: 'A', mass: 1 }], ctx.heap);
    grid.resize(0);
    const wrap = { faces: [{ axis: 2, isUpper: true }], margins: [0, 0, 0], least: null } as const;
    await expect(shrunkBox(grid, ctx, wrap)).rejects.toMatchObject({
      code: 'NO_PARTICLES',
      message: expect.stringMatching(/^there are no particles/),
    });
  } finally {
    await ctx.close();
  }
});
