import { cellFunctor, reduceFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { cellTable } from '../../src/pattern/cellTable.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import type { Backend } from './Backend.js';
import { expectClose, filledGrid } from './oracle.js';

const whereabouts = cellFunctor(
  {
    name: 'whereabouts',
    fields: { ca: 'u32', cb: 'u32', cc: 'u32', sx: 'real', sy: 'real', sz: 'real' },
    read: { cell: 'u32', slot: 'u32', index: 'u32', cellX: 'u32', cellY: 'u32', cellZ: 'u32' },
    traits: { needsCellParticleIndex: true },
  },
  (i, _p, h) => {
    i.ca = i.cell;
    i.cb = i.slot;
    i.cc = i.index;
    i.sx = h.real(i.cellX);
    i.sy = h.real(i.cellY);
    i.sz = h.real(i.cellZ);
  },
);

const highestRow = reduceFunctor(
  {
    name: 'highest_row',
    result: { last: 'max', alternating: 'sum' },
    read: { index: 'u32', mass: 'real' },
    traits: { needsCellParticleIndex: true },
  },
  (acc, i, _p, h) => {
    acc.last = Math.max(acc.last, h.real(i.index));
    acc.alternating += (i.index & 1) === 0 ? i.mass : -i.mass;
  },
);

const weigh = cellFunctor(
  {
    name: 'weigh',
    fields: { q: 'real' },
    read: { mass: 'real', charge: 'real', color: 'real', vx: 'real', vy: 'real', vz: 'real' },
    defaults: { color: 0.5 },
    computed: {
      energy: ({ mass, vx, vy, vz }) => {
        const square = vx * vx + vy * vy + vz * vz;
        return 0.5 * mass * square;
      },
    },
  },
  (i) => {
    i.q = i.energy * i.color + i.charge;
  },
);

const kinetic = reduceFunctor(
  {
    name: 'kinetic_energy',
    result: { total: 'sum' },
    read: { mass: 'real', vx: 'real' },
    computed: { energy: ({ mass, vx }) => 0.5 * mass * vx * vx },
  },
  (acc, i) => {
    acc.total += i.energy;
  },
);

/** Fields that do not simply lie in the grid: indices, defaults, values of a call, computed ones. */
export function describeFields(backend: Backend): void {
  describe(`fields on ${backend.name}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx.close());

    it('tells each particle its cell, its place there and its row, after every sort', async () => {
      const grid = filledGrid(ctx.heap, 500, 4);
      const call = async () => void (await computeCellParticles(grid, whereabouts, ctx));
      await expect(call()).rejects.toMatchObject({ code: 'NOT_SORTED' });
      for (const rcut of [1.5, 3]) {
        await updateNeighbors(grid, ctx, { rcut, skin: 0.2 });
        await computeCellParticles(grid, whereabouts, ctx);
        const { dims, start } = await cellTable(grid, ctx);
        await newestOnHost(grid, ctx);
        const columns = ['ca', 'cb', 'cc', 'sx', 'sy', 'sz'].map((name) => grid.values(name));
        for (let z = 0, cell = 0; z < dims[2]; z++)
          for (let y = 0; y < dims[1]; y++)
            for (let x = 0; x < dims[0]; x++, cell++)
              for (let row = start[cell]!; row < start[cell + 1]!; row++) {
                const found = columns.map((values) => values[row]);
                if (`${found}` === `${[cell, row - start[cell]!, row, x, y, z]}`) continue;
                expect(found).toEqual([cell, row - start[cell]!, row, x, y, z]);
              }
        // Cells tile the box: a particle lies where its cell says.
        const [rx, sx] = [grid.values('rx'), grid.values('sx')];
        rx.forEach((r, k) => {
          expect(Math.abs((r / 10) * dims[0] - sx[k]! - 0.5)).toBeLessThanOrEqual(0.5 + 1e-4);
        });
      }
      grid.free();
    });

    it('numbers rows without a sort', async () => {
      const grid = filledGrid(ctx.heap, 301, 4);
      const mass = grid.values('mass');
      const { last, alternating } = await reduceCellParticles(grid, highestRow, {}, ctx);
      expect(last).toBe(300);
      expect(alternating).toBe(mass.reduce((s, m, k) => s + (k % 2 === 0 ? m : -m), 0));
      grid.free();
    });

    it('takes fields from the grid, from the call, from defaults, and from computations', async () => {
      for (const hasColor of [false, true]) {
        for (const fields of [{}, { mass: 4 }, { charge: -2, color: 3 }] as Record<
          string,
          number
        >[]) {
          const grid = filledGrid(ctx.heap, 130, 6);
          if (hasColor) {
            grid.addBlock({ name: 'color', type: 'f64', width: 1, members: ['color'] });
            grid.setValues(
              'color',
              Float64Array.from({ length: 130 }, (_, k) => k % 5),
            );
          }
          const all = ['mass', 'charge', 'vx', 'vy', 'vz'].map((name) => grid.values(name));
          const color = hasColor ? grid.values('color') : null;
          const expected = Float64Array.from({ length: 130 }, (_, k) => {
            const [m, charge, x, y, z] = all.map((values) => values[k]!);
            const mass = fields.mass ?? m!;
            const energy = 0.5 * mass * (x! * x! + y! * y! + z! * z!);
            const c = fields.color ?? color?.[k] ?? 0.5;
            return energy * c + (fields.charge ?? charge!);
          });
          await computeCellParticles(grid, weigh, ctx, { fields });
          const { total } = await reduceCellParticles(grid, kinetic, {}, ctx, {
            fields: { mass: 2 },
          });
          await newestOnHost(grid, ctx);
          expectClose(grid.values('q'), expected, backend.tolerance);
          const sum = all[2]!.reduce((s, x) => s + x * x, 0);
          expectClose([total], [sum], Math.max(1e-14, backend.tolerance * 4));
          grid.free();
        }
      }
    });

    it('says what is wrong with fields of a call', async () => {
      const grid = filledGrid(ctx.heap, 3);
      const call = (fields: object) => () =>
        void computeCellParticles(grid, weigh, ctx, { fields: fields as never });
      expect(call({ q: 1 })).toThrow(expect.objectContaining({ code: 'UNKNOWN_KEY' }));
      expect(call({ mass: 'heavy' })).toThrow(expect.objectContaining({ code: 'WRONG_TYPE' }));
      grid.free();
    });
  });
}
