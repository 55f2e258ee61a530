import { Domain, type Grid } from '@corpuscle/core';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { JoinedCells } from '../../../src/gpu/calls/JoinedCells.js';
import { DisplacementRecords } from '../../../src/gpu/neighbors/DisplacementRecords.js';
import { MET } from '../../../src/gpu/neighbors/displacementText.js';
import { type FastLimits, fastLimits } from '../../../src/gpu/neighbors/fastLimits.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { fly } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

type Vector = [number, number, number];

/** Two particles, `apart` lists' radii from each other, that approach each other by these parts of the skin. */
interface Encounter {
  readonly at: readonly number[];
  readonly direction: readonly number[];
  readonly apart: number;
  readonly steps: readonly [number, number];
}

interface Moved {
  readonly before: Vector;
  readonly by: Vector;
}

const norm = (v: readonly number[]): number => Math.hypot(...v);
const unit = (v: readonly number[]): Vector => v.map((x) => x / (norm(v) || 1)) as Vector;

function encounters(domain: Domain, list: readonly Encounter[], radius: number, skin: number) {
  return list.flatMap(({ at, direction, apart, steps }): Moved[] => {
    const u = unit(direction);
    const first = domain.toCartesian(at[0]!, at[1]!, at[2]!) as Vector;
    const second = first.map((x, k) => x + apart * radius * u[k]!) as Vector;
    return [
      { before: first, by: u.map((x) => x * steps[0] * skin) as Vector },
      { before: second, by: u.map((x) => -x * steps[1] * skin) as Vector },
    ];
  });
}

/** Whether a pair, in any image, is within `near` and was not within `listed`: by looking at all. */
function meets(domain: Domain, moved: readonly Moved[], near: number, listed: number): boolean {
  const { matrix } = domain;
  const images: Vector[] = [];
  for (let a = -1; a <= 1; a++)
    for (let b = -1; b <= 1; b++)
      for (let c = -1; c <= 1; c++)
        images.push(
          [0, 1, 2].map((k) => a * matrix[k]! + b * matrix[3 + k]! + c * matrix[6 + k]!) as Vector,
        );
  const wrapped = moved.map(({ before, by }) => {
    const s = domain.toFractional(...before).map((x) => x - Math.floor(x));
    return { before: domain.toCartesian(s[0]!, s[1]!, s[2]!), by };
  });
  return wrapped.some((i, n) =>
    wrapped.slice(0, n).some((j) =>
      images.some((image) => {
        const was = image.map((x, k) => x + i.before[k]! - j.before[k]!);
        const now = was.map((x, k) => x + i.by[k]! - j.by[k]!);
        return norm(now) < near && norm(was) >= listed;
      }),
    ),
  );
}

describeGpu('fast pairs', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  async function listed(domain: Domain, moved: readonly Moved[], rcut: number, skin: number) {
    // Those that rest give the box cells, and have no neighbors.
    const next = sequence(1);
    const resting = Array.from({ length: 700 }, () => domain.toCartesian(next(), next(), next()));
    const places = [...moved.map(({ before }) => before), ...resting];
    const grid = gridOf(ctx.heap, domain, places);
    ['vx', 'vy', 'vz'].forEach((name, k) => {
      grid.setValues(name, [...moved.map(({ by }) => by[k]!), ...resting.map(() => 0)]);
    });
    await updateNeighbors(grid, ctx, { rcut, skin });
    return grid;
  }

  /** The record of one update after everything has moved. */
  async function recordOf(grid: Grid, limits: FastLimits) {
    const { neighbors, gpu } = engineOf(ctx);
    const note = new JoinedCells(engineOf(ctx).runner, grid, { functors: [], notes: true });
    const records = new DisplacementRecords(gpu);
    records.clear(limits.mostFast);
    // They stay in the cells where the lists were built, as in steps.
    computeCellParticles(grid, fly, ctx, {});
    gpu.stream.flush();
    const { buffer } = neighbors.lists(grid)!.reference;
    note.record([], { displacements: records.target(buffer, 3, limits) });
    records.read(4, neighbors.fastPairs, limits);
    const readback = records.read(4, neighbors.fastPairs, limits); // to look twice changes nothing
    readback.flush();
    const data = await readback.data;
    records.free();
    const words = new Uint32Array(data);
    const distance = Math.sqrt(new Float32Array(data)[12]!);
    return { distance, count: words[15]! % MET, met: words[15]! >= MET };
  }

  const part = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const vector = fc.tuple(part(-1, 1), part(-1, 1), part(-1, 1));
  const encounter: fc.Arbitrary<Encounter> = fc.record({
    at: fc.tuple(part(0, 1), part(0, 1), part(0, 1)),
    direction: fc.oneof(vector, fc.constantFrom([1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0])),
    apart: part(0.99, 1.03),
    steps: fc.oneof(
      fc.tuple(part(0.46, 0.56), part(0.46, 0.56)),
      fc.tuple(part(0, 0.7), part(0, 0.7)),
    ),
  });
  /** In radii of the lists. */
  const length = fc.oneof(
    { weight: 1, arbitrary: part(2.5, 6) },
    { weight: 9, arbitrary: part(6, 9) },
  );
  const systems = fc.record({
    lengths: fc.tuple(length, length, length),
    skews: fc.oneof(fc.constant([0, 0, 0]), fc.tuple(part(-2, 2), part(-2, 2), part(-2, 2))),
    origin: vector,
    list: fc.array(encounter, { minLength: 1, maxLength: 12 }),
    rcut: part(0.8, 2),
    skin: part(0.2, 0.6),
    tauRatio: part(0.3, 0.46),
  });

  it('are found wherever brute force finds them, in any box', { timeout: 120_000 }, async () => {
    const seen = { met: 0, apart: 0, none: 0 };
    const property = fc.asyncProperty(systems, async (system) => {
      const { lengths, skews, origin, list, rcut, skin, tauRatio } = system;
      const [a, b, c] = lengths.map((l) => l * (rcut + skin));
      const matrix = [a!, 0, 0, skews[0]!, b!, 0, skews[1]!, skews[2]!, c!];
      const domain = Domain.triclinic(matrix, { origin });
      fc.pre(Math.min(...domain.heights) > 2.1 * rcut);
      const moved = encounters(domain, list, rcut + skin, skin);
      const grid = await listed(domain, moved, rcut, skin);
      const lists = engineOf(ctx).neighbors.lists(grid)!;
      const limits = fastLimits(lists, tauRatio);
      const { dims } = lists.frame!;
      const thinnest = Math.min(
        ...dims.map((n, k) => 0.5 - 1 / n - (rcut + 2 * skin) / domain.heights[k]!),
      );
      expect(limits !== null).toBe(thinnest > 0.01 || (limits !== null && thinnest > 0));
      if (limits) {
        const { distance, count, met } = await recordOf(grid, limits);
        const gone = moved.map(({ by }) => norm(by));
        expect(distance).toBeCloseTo(Math.max(...gone), 5);
        const { tau, radius } = limits;
        expect(count).toBeGreaterThanOrEqual(gone.filter((d) => d > tau + 1e-5).length);
        expect(count).toBeLessThanOrEqual(gone.filter((d) => d > tau - 1e-4).length);
        if (distance > skin / 2 && distance < skin - tau) {
          // Between the two bounds single precision decides.
          if (meets(domain, moved, rcut - 1e-5, radius + 1e-5)) expect(met).toBe(true);
          if (!meets(domain, moved, rcut + 1e-4, radius - 1e-4)) expect(met).toBe(false);
          seen[met ? 'met' : 'apart']++;
        }
      } else seen.none++;
      grid.free();
    });
    await fc.assert(property, { numRuns: runs(40, 160) });
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(runs(0, 10));
  });

  itOnce('are found anywhere in a list, but not if there are too many', async () => {
    const domain = Domain.orthorhombic([14, 14, 14]);
    const [rcut, skin] = [1, 0.3];
    const next = sequence(4);
    const anywhere = (): Vector => [14 * next(), 14 * next(), 14 * next()];
    for (const pairs of [0, 1]) {
      // All go the same way, so that they keep their distances, but for one that flies at the first.
      const moved = Array.from(
        { length: 600 },
        (): Moved => ({ before: anywhere(), by: [0.16, 0, 0] }),
      );
      const [x, y, z] = moved[0]!.before;
      if (pairs > 0) moved.splice(333, 1, { before: [x + 1.31, y, z], by: [-0.16, 0, 0] });
      for (const mostFast of [599, 600, 1000]) {
        const grid = await listed(domain, moved, rcut, skin);
        const lists = engineOf(ctx).neighbors.lists(grid)!;
        const { count, met } = await recordOf(grid, { ...fastLimits(lists, 0.4)!, mostFast });
        expect(count).toBe(600);
        expect(met).toBe(pairs > 0 && mostFast >= 600);
        grid.free();
      }
    }
  });
});
