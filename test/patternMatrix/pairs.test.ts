// Pair pattern: functor × form × option × outputs × box × backend × precision, against all pairs in all images.

import type { Grid } from '@corpuscle/core';
import {
  computeCellParticlePairs,
  type ExecutionContext,
  type NeighborhoodFunctor,
  neighborhoodFunctor,
  newestOnHost,
  type PairFunctor,
  pairFunctor,
  pairWeights,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, describe, it } from 'vitest';
import { isLong } from '../support/runs.js';
import { type Neighbor, neighborhoods, type Rules } from './support/neighborhoods.js';
import { boxes, type Fields, fieldsOf, system } from './support/system.js';
import { expectNear, openTargets } from './support/targets.js';

const RCUT = 1.7;
const MIXED_TOO = 'cpu simd f32';
const K = 0.5;

type Output = 'fx' | 'ep' | 'q' | 'n';

interface Subject {
  // biome-ignore lint/suspicious/noExplicitAny: functors of all shapes stand in one table
  readonly functor: PairFunctor<any, any> | NeighborhoodFunctor<any, any>;
  readonly forms: readonly ('bufferless' | 'buffered')[];
  /** Outputs that are sums, which a call may also return. */
  readonly sums: readonly Output[];
  readonly outputs: readonly Output[];
  /** Every neighbor counts in full or not at all. */
  readonly allOrNothing?: boolean;
  /** What particle i gets from its neighbors; it may also give to theirs. */
  readonly oracle: (
    i: number,
    near: readonly Neighbor[],
    f: Fields,
    out: Record<Output, Float64Array>,
  ) => void;
}

const spring = (newton3: boolean) =>
  pairFunctor(
    {
      name: newton3 ? 'spring_half' : 'spring_full',
      central: { fx: 'real', ep: 'real', n: 'i32' },
      read: { type: 'u32' },
      neighbor: { type: 'u32' },
      params: { k: 'real' },
      traits: { newton3 },
    },
    (i, j, d, p, h) => {
      const stiff = p.k * h.real(1 + i.type + j.type);
      i.fx -= stiff * d.x;
      i.ep += 0.5 * stiff * d.r2;
      if (d.r2 < 1.2) i.n += 1;
    },
  );

const springOracle: Subject['oracle'] = (i, near, f, out) => {
  for (const { j, d, r2, weight } of near) {
    const stiff = weight * K * (1 + f.type[i]! + f.type[j]!);
    out.fx[i] = out.fx[i]! - stiff * d[0];
    out.ep[i] = out.ep[i]! + 0.5 * stiff * r2;
    if (r2 < 1.2) out.n[i] = out.n[i]! + weight;
  }
};

const subjects: Readonly<Record<string, Subject>> = {
  'sums, each pair once': {
    functor: spring(true),
    forms: ['bufferless', 'buffered'],
    outputs: ['fx', 'ep', 'n'],
    sums: ['fx', 'ep'],
    allOrNothing: true, // n is an integer
    oracle: springOracle,
  },
  'sums, each pair twice': {
    functor: spring(false),
    forms: ['bufferless', 'buffered'],
    outputs: ['fx', 'ep', 'n'],
    sums: ['fx', 'ep'],
    allOrNothing: true,
    oracle: springOracle,
  },
  'weighted sums': {
    functor: pairFunctor(
      {
        name: 'weighted',
        central: { fx: 'real', ep: 'real' },
        neighbor: { mass: 'real' },
        params: { k: 'real' },
      },
      (i, j, d, p) => {
        i.fx += (p.k * j.mass * d.y) / (1 + d.r2);
        i.ep += Math.sqrt(d.r2);
      },
    ),
    forms: ['bufferless', 'buffered'],
    outputs: ['fx', 'ep'],
    sums: ['fx', 'ep'],
    oracle: (i, near, f, out) => {
      for (const { j, d, r2, weight } of near) {
        out.fx[i] = out.fx[i]! + (weight * K * f.mass[j]! * d[1]) / (1 + r2);
        out.ep[i] = out.ep[i]! + weight * Math.sqrt(r2);
      }
    },
  },
  'a running value': {
    functor: pairFunctor(
      {
        name: 'farthest',
        central: { q: 'real' },
        neighbor: { mass: 'real' },
        params: { k: 'real' },
      },
      (i, j, d, p) => {
        if (j.mass === 2) return;
        i.q = Math.max(i.q, p.k * d.r2);
      },
    ),
    forms: ['bufferless', 'buffered'],
    outputs: ['q'],
    sums: [],
    allOrNothing: true,
    oracle: (i, near, f, out) => {
      for (const { j, r2 } of near) if (f.mass[j] !== 2) out.q[i] = Math.max(out.q[i]!, K * r2);
    },
  },
  'a context of the particle': {
    functor: pairFunctor(
      {
        name: 'mean_square',
        central: { q: 'real' },
        params: { k: 'real' },
        context: { n: 'real', sum: 'real' },
        contextStart: (x) => {
          x.n = 1;
          x.sum = 0;
        },
        contextStop: (x, i, p) => {
          i.q += (p.k * x.sum) / x.n;
        },
      },
      (_i, _j, d, _p, _h, _c, x) => {
        x.n += 1;
        x.sum += d.r2;
      },
    ),
    forms: ['bufferless'],
    outputs: ['q'],
    sums: [],
    allOrNothing: true,
    oracle: (i, near, _f, out) => {
      out.q[i] = (K * near.reduce((s, { r2 }) => s + r2, 0)) / (1 + near.length);
    },
  },
  neighborhoods: {
    functor: neighborhoodFunctor(
      {
        name: 'angles',
        central: { ep: 'real', q: 'real' },
        neighbor: { type: 'u32' },
        scatter: { fx: 'real' },
        params: { k: 'real' },
      },
      (i, b, p, h) => {
        i.q = h.real(b.count);
        for (let j = 0; j < b.count; j++)
          for (let k = j + 1; k < b.count; k++) {
            const dot = b.dx[j]! * b.dx[k]! + b.dy[j]! * b.dy[k]! + b.dz[j]! * b.dz[k]!;
            const s = p.k * h.real(1 + b.type[j]! + b.type[k]!) * dot;
            i.ep += s;
            b.fx[j] -= s;
            b.fx[k] += 0.5 * s;
          }
      },
    ),
    forms: ['buffered'],
    outputs: ['ep', 'q', 'fx'],
    sums: ['ep'],
    allOrNothing: true,
    oracle: (i, near, f, out) => {
      out.q[i] = near.length;
      // Half of what a pair gives goes to either: the order of neighbors must not matter to the test.
      for (const [a, one] of near.entries())
        for (const two of near.slice(a + 1)) {
          const dot = one.d[0] * two.d[0] + one.d[1] * two.d[1] + one.d[2] * two.d[2];
          const s = K * (1 + f.type[one.j]! + f.type[two.j]!) * dot;
          out.ep[i] = out.ep[i]! + s;
        }
    },
  },
};

interface Option {
  readonly call: (allOrNothing: boolean, grid: Grid) => object;
  readonly rules: (allOrNothing: boolean, grid: Grid, f: Fields) => Omit<Rules, 'rcut'>;
}

/** A shear and a stretch, near enough to 1 that lists made for rcut 2.1 hold every pair. */
const SHEARED = [1.1, 0.1, 0, 0, 0.95, -0.05, 0.05, 0, 1];
const MASK = [1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1];
const weightOf = (a: number, b: number, allOrNothing: boolean): number => {
  const key = Math.min(a, b) * 3 + Math.max(a, b);
  return key % 5 === 0 ? 0 : key % 5 === 1 && !allOrNothing ? 0.5 : 1;
};

const options: Readonly<Record<string, Option>> = {
  'no option': { call: () => ({}), rules: () => ({}) },
  'filters of particles': {
    call: () => ({
      particleFilter: {
        central: { field: 'group', bits: 1 },
        neighbor: { field: 'type', bits: 1 },
      },
    }),
    rules: (_a, _g, f) => ({
      central: (i) => (f.group[i]! & 1) !== 0,
      neighbor: (j) => (f.type[j]! & 1) !== 0,
    }),
  },
  'a filter of cells': {
    call: () => ({ cellFilter: { cells: [3, 2, 2], mask: MASK } }),
    rules: (_a, grid, f) => ({
      central(i) {
        const s = grid.domain.toFractional(f.rx[i]!, f.ry[i]!, f.rz[i]!);
        const [x, y, z] = s.map((u, k) => Math.floor((u - Math.floor(u)) * [3, 2, 2][k]!));
        return MASK[x! + 3 * (y! + 2 * z!)] !== 0;
      },
    }),
  },
  weights: {
    call: (allOrNothing, grid) => ({
      weights: pairWeights(
        Array.from({ length: grid.count }, (_, a) => a + 1).flatMap((a) =>
          Array.from({ length: grid.count - a }, (_, k) => a + k + 1)
            .map((b) => ({ ids: [a, b] as const, weight: weightOf(a, b, allOrNothing) }))
            .filter(({ weight }) => weight !== 1),
        ),
      ),
    }),
    rules: (allOrNothing) => ({ weight: (a, b) => weightOf(a, b, allOrNothing) }),
  },
  'a deformed box': { call: () => ({ xform: SHEARED }), rules: () => ({ xform: SHEARED }) },
};

const targets = await openTargets('pairs');
const grids = new Map<string, Promise<Grid>>();
/** What brute force finds for a grid and an option: it is the same for all functors, forms and goals. */
const found = new Map<string, Neighbor[][]>();

/** One grid with lists for each target and box: outputs are cleared before each call. */
async function gridOf(target: (typeof targets)[number], box: string): Promise<Grid> {
  const key = `${target.name} ${box}`;
  let made = grids.get(key);
  if (!made) {
    made = withLists(target.ctx, box);
    grids.set(key, made);
  }
  const grid = await made;
  await newestOnHost(grid, target.ctx);
  for (const name of ['fx', 'ep', 'q', 'n']) grid.setValues(name, new Float64Array(grid.count));
  return grid;
}

async function withLists(ctx: ExecutionContext, box: string): Promise<Grid> {
  const grid = system(ctx.heap, boxes[box]!(), 61, 3);
  await updateNeighbors(grid, ctx, { rcut: 2.1, skin: 0.3 });
  return grid;
}

afterAll(async () => {
  for (const grid of grids.values()) (await grid).free();
});

const cube = ['cube', 'particles'] as const;
const triclinic = ['triclinic', 'both'] as const;

/**
 * Boxes and targets of outputs. A device compiles a kernel for each functor, form, option and target of outputs, which takes
 * a software adapter most of a second: there options go with one form, and the wider precisions go without options but for `isOnce`.
 * Options take turns with functors of pairs: the other half is in the long form. So are options in f32 on the CPU, whose kernels are
 * those of mixed precision.
 */
function goalsOf(
  name: string,
  subject: string,
  form: string,
  option: string,
): readonly (typeof cube | typeof triclinic)[] {
  if (name === MIXED_TOO && isLong !== (option !== 'no option')) return [];
  if (!name.startsWith('webgpu')) return [cube, triclinic];
  const { forms, functor } = subjects[subject]!;
  const isSecond = form !== forms[0];
  // Functors called once a particle have kernels of their own, which compile faster.
  const isOnce = functor.ir!.kind === 'neighborhood' || functor.ir!.start !== undefined;
  const turn = Object.keys(subjects).indexOf(subject) + Object.keys(options).indexOf(option);
  const isCostly =
    name === 'webgpu mixed' ||
    (name === 'webgpu f64' && /filter|weights/.test(option)) ||
    (name === 'webgpu f32' && option !== 'no option' && !isOnce && turn % 2 === 1);
  if (isLong !== isCostly) return []; // the others are in the short form
  if (isOnce && name === 'webgpu f64')
    return option === 'no option' ? [cube, triclinic] : [triclinic];
  if (option !== 'no option' && (isSecond || name !== 'webgpu f32')) return [];
  if (isSecond && name === 'webgpu f64') return [];
  return [option === 'no option' && name === 'webgpu f32' && !isSecond ? triclinic : cube];
}

for (const target of targets) {
  const { name, ctx, tolerance } = target;
  const hasLong = name.startsWith('webgpu') || name === MIXED_TOO;
  if (isLong ? !hasLong : name === 'webgpu mixed') continue;
  describe(`pairs on ${name}`, () => {
    for (const [subjectName, subject] of Object.entries(subjects))
      for (const form of subject.forms)
        for (const [optionName, option] of Object.entries(options))
          for (const [box, goal] of goalsOf(name, subjectName, form, optionName)) {
            if (optionName === 'weights' && subjectName === 'neighborhoods') continue; // they read b.weight
            it(`${subjectName} · ${form} · ${optionName} · ${box} · to ${goal}`, async () => {
              const grid = await gridOf(target, box);
              const f = fieldsOf(grid);
              const allOrNothing = subject.allOrNothing ?? false;
              const rule = option.rules(allOrNothing, grid, f);
              const key = `${name} ${box} ${optionName} ${allOrNothing}`;
              const near = found.get(key) ?? neighborhoods(grid, f, { rcut: RCUT, ...rule });
              found.set(key, near);
              const zeros = () => new Float64Array(grid.count);
              const expected = { fx: zeros(), ep: zeros(), q: zeros(), n: zeros() };
              near.forEach((list, i) => {
                if (rule.central && !rule.central(i)) return;
                subject.oracle(i, list, f, expected);
              });
              const totals: Record<string, number> = await computeCellParticlePairs(
                grid,
                subject.functor as never,
                ctx,
                {
                  rcut: RCUT,
                  params: { k: K } as never,
                  form,
                  outputs: Object.fromEntries(
                    subject.sums.map((output) => [output, goal]),
                  ) as never,
                  ...option.call(allOrNothing, grid),
                },
              );
              await newestOnHost(grid, ctx);
              const scattered = subjectName === 'neighborhoods' ? ['fx'] : [];
              for (const output of subject.outputs)
                if (!scattered.includes(output))
                  expectNear(grid.values(output), expected[output], 8 * tolerance);
              if (goal === 'particles') return;
              for (const output of subject.sums) {
                const sum = expected[output].reduce((s, x) => s + x, 0);
                const scale = expected[output].reduce((s, x) => s + Math.abs(x), 1);
                expectNear([totals[output]! / scale], [sum / scale], 8 * tolerance);
              }
            });
          }
  });
}
