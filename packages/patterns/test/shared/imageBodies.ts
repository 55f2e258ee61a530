import { Domain, type Grid, imageFlags } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { drift } from './functors.js';
import { gridOf } from './grids.js';
import { sequence } from './oracle.js';

const BOXES = {
  'a cube': Domain.orthorhombic([9, 9, 9]),
  'a skewed box that does not begin at 0': Domain.triclinic([9, 0, 0, 2, 8, 0, -3, 2, 7], {
    origin: [-4, 3, 50],
  }),
  'a box thinner than the cutoff': Domain.orthorhombic([1.1, 12, 9]),
  'a box with open axes': Domain.orthorhombic([9, 9, 9], { periodic: [false, true, false] }),
} as const;

/** Particles that nothing holds, some of them boxes away. */
export class FreeFlight {
  readonly grid: Grid;
  readonly #ctx: ExecutionContext;
  readonly #start: readonly (readonly number[])[];
  readonly #velocity: readonly (readonly number[])[];
  readonly #next: () => number;
  #time = 0;

  constructor(ctx: ExecutionContext, domain: Domain, count: number) {
    const next = sequence(count);
    const vector = (size: number) => [0, 1, 2].map(() => size * (2 * next() - 1));
    this.#next = next;
    this.#ctx = ctx;
    this.#start = Array.from({ length: count }, (_, k) => {
      const away = (axis: number) => (k % 5 === 0 && domain.periodic[axis] ? 7 * next() - 3 : 0);
      return domain.toCartesian(next() + away(0), next() + away(1), next() + away(2));
    });
    this.#velocity = this.#start.map(() => vector(4));
    this.grid = gridOf(ctx.heap, domain, this.#start as never);
    this.grid.addBlock(imageFlags);
    ['vx', 'vy', 'vz'].forEach((name, k) => {
      this.grid.setValues(
        name,
        this.#velocity.map((v) => v[k]!),
      );
    });
  }

  /** A number from 0 to 1. */
  random(): number {
    return this.#next();
  }

  fly(dt: number): void {
    computeCellParticles(this.grid, drift, this.#ctx, { params: { dt } });
    this.#time += dt;
  }

  /** How far any unwrapped position is from where its particle has flown to. */
  async error(): Promise<number> {
    const { grid } = this;
    await newestOnHost(grid, this.#ctx);
    const [ids, ...values] = ['id', 'rx', 'ry', 'rz', 'ix', 'iy', 'iz'].map((name) =>
      grid.values(name),
    );
    const { matrix } = grid.domain;
    let most = 0;
    for (let row = 0; row < grid.count; row++)
      for (let axis = 0; axis < 3; axis++) {
        const boxes = [0, 1, 2].map((k) => values[3 + k]![row]! * matrix[3 * k + axis]!);
        const unwrapped = values[axis]![row]! + boxes[0]! + boxes[1]! + boxes[2]!;
        const id = ids![row]!;
        const flown = this.#start[id]![axis]! + this.#time * this.#velocity[id]![axis]!;
        most = Math.max(most, Math.abs(unwrapped - flown));
      }
    return most;
  }
}

/**
 * Image flags are right however far particles go between two sorts and two looks: the oracle is flight in space without a box.
 * @param tolerance of lengths of some tens.
 */
export function describeImages(
  name: string,
  open: () => Promise<ExecutionContext>,
  tolerance: number,
  boxes = Object.keys(BOXES) as (keyof typeof BOXES)[],
): void {
  describe(`image flags: ${name}`, () => {
    it.each(boxes)('unwrap positions in %s, whatever happens in between', async (box) => {
      const ctx = await open();
      const flight = new FreeFlight(ctx, BOXES[box], 70);
      const { grid } = flight;
      for (let step = 0; step < 24; step++) {
        flight.fly(5 * flight.random());
        const ahead = flight.random() < 0.7;
        if (flight.random() < 0.6) updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3, ahead });
        if (step % 6 !== 5) continue;
        expect(await flight.error()).toBeLessThan(tolerance);
        // The host may write positions: they go up again.
        if (flight.random() < 0.5) grid.setValues('rx', grid.values('rx'));
      }
      const { ix, iy, iz } = Object.fromEntries(
        ['ix', 'iy', 'iz'].map((name) => [name, Math.max(...grid.values(name).map(Math.abs))]),
      ) as Record<string, number>;
      const { periodic } = grid.domain;
      [ix!, iy!, iz!].forEach((most, axis) => {
        if (periodic[axis]) expect(most).toBeGreaterThan(3);
        else expect(most).toBe(0);
      });
      grid.free();
      await ctx.close();
    });
  });
}
