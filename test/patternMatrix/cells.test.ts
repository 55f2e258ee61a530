// Cell pattern: form × selection × option × backend × precision, against loops over copies of the fields.

import {
  type CellFunctor,
  cellFunctor,
  cellTable,
  computeCellParticles,
  newestOnHost,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { boxes, type Fields, fieldsOf, sorted, system } from './support/system.js';
import { expectNear, openTargets } from './support/targets.js';

interface Where {
  readonly cell: number;
  readonly slot: number;
  readonly row: number;
}

interface Form {
  // biome-ignore lint/suspicious/noExplicitAny: functors of all shapes stand in one table
  readonly functor: CellFunctor<any, any>;
  readonly options?: object;
  /** What one particle becomes: the fields that change. */
  readonly oracle: (f: Fields, k: number, where: Where) => Partial<Record<keyof Fields, number>>;
}

const forms: Readonly<Record<string, Form>> = {
  'fields and parameters': {
    functor: cellFunctor(
      {
        name: 'kick',
        fields: { vx: 'real', vy: 'real' },
        read: { fx: 'real', fy: 'real', mass: 'real' },
        params: { dt: 'real' },
      },
      (i, p) => {
        i.vx += (p.dt * i.fx) / i.mass;
        i.vy = i.vy * 0.5 + p.dt * i.fy;
      },
    ),
    options: { params: { dt: 0.25 } },
    oracle: (f, k) => ({
      vx: f.vx[k]! + (0.25 * f.fx[k]!) / f.mass[k]!,
      vy: f.vy[k]! * 0.5 + 0.25 * f.fy[k]!,
    }),
  },
  'branches, integers and tables': {
    functor: cellFunctor(
      {
        name: 'branch',
        fields: { vz: 'real', n: 'i32' },
        read: { type: 'u32', group: 'u32' },
        params: { table: 'real[]' },
      },
      (i, p, h) => {
        if (i.vz > 4) {
          i.n -= 1;
          return;
        }
        let turns = h.i32(0);
        while (turns < i.n) turns += 2;
        i.n = turns + h.i32(i.group);
        i.vz = p.table[i.type]! - i.vz;
      },
    ),
    options: { params: { table: [1.5, -3] } },
    oracle: (f, k) => {
      if (f.vz[k]! > 4) return { n: f.n[k]! - 1 };
      const turns = 2 * Math.max(0, Math.ceil(f.n[k]! / 2));
      return { n: turns + f.group[k]!, vz: [1.5, -3][f.type[k]!]! - f.vz[k]! };
    },
  },
  'cell and particle index': {
    functor: cellFunctor(
      {
        name: 'indices',
        fields: { q: 'real', n: 'i32' },
        read: { cell: 'u32', slot: 'u32', index: 'u32' },
        traits: { needsCellParticleIndex: true },
      },
      (i, _p, h) => {
        i.q = h.real(i.cell) + 0.25 * h.real(i.slot);
        i.n = h.i32(i.index);
      },
    ),
    oracle: (_f, _k, { cell, slot, row }) => ({ q: cell + 0.25 * slot, n: row }),
  },
  'computed fields': {
    functor: cellFunctor(
      {
        name: 'computed',
        fields: { q: 'real' },
        read: { mass: 'real', vx: 'real', vy: 'real' },
        computed: { energy: ({ mass, vx, vy }) => 0.5 * mass * (vx * vx + vy * vy) },
      },
      (i) => {
        i.q += i.energy;
      },
    ),
    oracle: (f, k) => ({ q: f.q[k]! + 0.5 * f.mass[k]! * (f.vx[k]! ** 2 + f.vy[k]! ** 2) }),
  },
  'fields given by the call': {
    functor: cellFunctor(
      { name: 'given', fields: { q: 'real' }, read: { mass: 'real', type: 'u32' } },
      (i, _p, h) => {
        i.q = i.q * i.mass + h.real(i.type);
      },
    ),
    options: { fields: { mass: 3, type: 5 } },
    oracle: (f, k) => ({ q: f.q[k]! * 3 + 5 }),
  },
  'fields the grid lacks': {
    functor: cellFunctor(
      {
        name: 'lacking',
        fields: { q: 'real' },
        read: { mass: 'real', color: 'real' },
        defaults: { color: 0.75, mass: 100 },
      },
      (i) => {
        i.q -= i.color * i.mass;
      },
    ),
    oracle: (f, k) => ({ q: f.q[k]! - 0.75 * f.mass[k]! }),
  },
};

const selections = ['all particles', 'chosen cells', 'chosen cells by id'] as const;
const calls: Readonly<Record<string, object>> = {
  synchronous: {},
  asynchronous: { asynchronous: true },
  'in a lane': { lane: 'analysis' },
};
const targets = await openTargets('state');

for (const { name, ctx, tolerance } of targets) {
  describe(`cells on ${name}`, () => {
    for (const [formName, { functor, options, oracle }] of Object.entries(forms))
      for (const selection of selections)
        for (const [callName, call] of Object.entries(calls))
          it(`${formName} · ${selection} · ${callName}`, async () => {
            const grid = system(ctx.heap, boxes.cube!(), 173);
            await sorted(grid, ctx);
            const before = fieldsOf(grid);
            const { start } = await cellTable(grid, ctx);
            const cells = [...start.keys()].filter(
              (c) => selection === 'all particles' || c % 3 !== 1,
            );
            cells.pop(); // the end of the last cell
            const order = selection === 'chosen cells by id' ? { order: 'ids' } : {};
            let told = 0;
            await computeCellParticles(grid, functor, ctx, {
              ...options,
              ...(selection === 'all particles' ? {} : { cells, ...order }),
              ...call,
              onComplete: () => {
                told++;
              },
            } as never);
            expect(told).toBe(1);
            await newestOnHost(grid, ctx);
            const expected: Record<string, Float64Array> = {};
            for (const [field, values] of Object.entries(before)) expected[field] = values.slice();
            for (const cell of cells)
              for (let row = start[cell]!; row < start[cell + 1]!; row++) {
                const changed = oracle(before, row, { cell, slot: row - start[cell]!, row });
                for (const [field, value] of Object.entries(changed)) expected[field]![row] = value;
              }
            for (const [field, values] of Object.entries(fieldsOf(grid)))
              expectNear(values, expected[field]!, tolerance);
            grid.free();
          });
  });
}
