import {
  dpdForce,
  ForceLedger,
  initTemperature,
  lattice,
  molecularDynamics,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContextOptions,
  updateNeighbors,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { gridOf, largest, largestDifference, vectorsById } from '../support/particlesOf.js';

const types = ['A', 'B'];
const pairs = [
  { types: ['A', 'A'] as const, A: 25, gamma: 4.5, rcut: 1 },
  { types: ['A', 'B'] as const, A: 40, gamma: 3, rcut: 0.9 },
  { types: ['B', 'B'] as const, A: 15, gamma: 6, rcut: 1.1 },
];
const side = 6;

/** A fluid of density 3, disturbed from its crystal, with velocities. */
function fluid() {
  const frame = lattice({ structure: 'sc', latticeConstant: side / 8, repeat: [8, 8, 8] });
  const wave = (k: number, by: number) => by * Math.sin(12.9898 * (k + 1) ** 2);
  return {
    ...frame,
    species: types,
    type: frame.type.map((_, k) => k % 2),
    position: frame.position.map((x, k) => x + wave(k, 0.12)),
    velocity: frame.position.map((_, k) => wave(k + 5, 1.5)),
  };
}

async function evaluate(options: ExecutionContextOptions, kT: number, times = 1) {
  await using ctx = await createExecutionContext(options);
  const frame = fluid();
  const grid = gridOf(frame, ctx);
  const term = dpdForce({ types, pairs, kT, dt: 0.02, seed: 7 });
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin: 0.1 });
  const ledger = new ForceLedger(grid, ctx);
  const forces: Float64Array[] = [];
  let totals = { energy: 0, virial: [0, 0, 0, 0, 0, 0] as readonly number[] };
  for (let n = 0; n < times; n++) {
    ledger.begin({ totals: true });
    ledger.add(term);
    totals = await ledger.totals();
    forces.push(await vectorsById(grid, ctx, 'force'));
  }
  const count = await term.evaluations();
  term.close();
  return { frame, forces: forces.at(-1)!, all: forces, totals, count };
}

const cpu = { backend: 'cpu', threads: 1 } as const;

describe('dissipative particle dynamics', () => {
  it('at temperature 0 is repulsion and friction of all pairs, by brute force', async () => {
    const { frame, forces, totals } = await evaluate(cpu, 0);
    const { position: r, velocity: v, type } = frame;
    const expected = new Float64Array(3 * frame.count);
    let energy = 0;
    let virial = 0;
    for (let i = 0; i < frame.count; i++)
      for (let j = 0; j < i; j++) {
        const d = [0, 1, 2].map((axis) => {
          const x = r[3 * i + axis]! - r[3 * j + axis]!;
          return x - side * Math.round(x / side);
        });
        const distance = Math.hypot(...d);
        const { A, gamma, rcut } = pairs[type[i]! + type[j]!]!;
        if (distance >= rcut) continue;
        const w = 1 - distance / rcut;
        const approach = d.reduce(
          (sum, x, axis) => sum + x * (v[3 * i + axis]! - v[3 * j + axis]!),
          0,
        );
        const f = (A * w - (gamma * w * w * approach) / distance) / distance;
        energy += 0.5 * A * rcut * w * w;
        virial += f * d[0]! * d[0]!;
        d.forEach((x, axis) => {
          expected[3 * i + axis]! += f * x;
          expected[3 * j + axis]! -= f * x;
        });
      }
    expect(largestDifference(forces, expected) / largest(expected)).toBeLessThan(1e-12);
    expect(totals.energy / energy).toBeCloseTo(1, 12);
    expect(totals.virial[0]! / virial).toBeCloseTo(1, 12);
  });

  it('draws the same for a pair in every thread and lowering', async () => {
    const one = await evaluate(cpu, 1, 2);
    const two = await evaluate({ ...cpu, threads: 2 }, 1, 2);
    const plain = await evaluate({ ...cpu, lowering: 'javascript' }, 1, 2);
    const scale = largest(one.forces);
    expect(largestDifference(two.forces, one.forces) / scale).toBeLessThan(1e-12);
    expect(largestDifference(plain.forces, one.forces) / scale).toBeLessThan(1e-12);
    expect([one, two, plain].map(({ count }) => count)).toEqual([2, 2, 2]);
  });

  it('adds noise of mean 0 and variance 2 γ kT w²/Δt, new each time, and no momentum', async () => {
    const cold = await evaluate(cpu, 0);
    const hot = await evaluate(cpu, 1, 40);
    for (const axis of [0, 1, 2]) {
      const sum = hot.forces.reduce((total, f, k) => (k % 3 === axis ? total + f : total), 0);
      expect(Math.abs(sum)).toBeLessThan(1e-9);
    }
    const noise = hot.all.map((forces) => forces.map((f, k) => f - cold.forces[k]!));
    const variance = noise.map((n) => n.reduce((sum, x) => sum + x * x, 0) / n.length);
    const expected = varianceOf(cold.frame);
    const mean = variance.reduce((sum, x) => sum + x, 0) / variance.length;
    // 40 draws of some 3,000 pairs: 0.4 %
    expect(Math.abs(mean / expected - 1)).toBeLessThan(0.02);
    const [a, b] = noise as [Float64Array, Float64Array];
    const overlap = a.reduce((sum, x, k) => sum + x * b[k]!, 0) / a.length / expected;
    expect(Math.abs(overlap)).toBeLessThan(0.15);
  });

  it('goes on with the numbers that would have come', async () => {
    await using ctx = await createExecutionContext(cpu);
    const options = { types, pairs, kT: 1, dt: 0.02 };
    const [first, second] = [dpdForce(options), dpdForce(options)];
    second.goOnAt(65535 + 2);
    const grid = gridOf(fluid(), ctx);
    await updateNeighbors(grid, ctx, { rcut: first.rcut, skin: 0.1 });
    const ledger = new ForceLedger(grid, ctx);
    const forcesOf = async (term: typeof first) => {
      ledger.begin({ totals: false });
      ledger.add(term);
      return vectorsById(grid, ctx, 'force');
    };
    first.goOnAt(65535);
    for (let n = 0; n < 2; n++) await forcesOf(first);
    expect(await forcesOf(first)).toEqual(await forcesOf(second));
    expect(await first.evaluations()).toBe(65538);
  });

  const run = async (options: ExecutionContextOptions, dt: number, steps: number) => {
    await using ctx = await createExecutionContext(options);
    const grid = gridOf({ ...fluid(), velocity: null }, ctx);
    initTemperature(grid, { temperature: 1.5, seed: 3 });
    const term = dpdForce({ types, pairs, kT: 1, dt, seed: 1 });
    const thermoFrequency = 10;
    const { rows } = await molecularDynamics(grid, ctx, {
      forces: [term],
      dt,
      steps,
      skin: 0.3,
      thermoFrequency,
    });
    return rows.map((row) => row.temperature);
  };

  it('holds the temperature of a fluid (Groot and Warren)', async () => {
    const late = (await run(cpu, 0.01, 1500)).slice(50);
    const mean = late.reduce((sum, t) => sum + t, 0) / late.length;
    // √(2/3N) = 3.6 % a row, some 50 of them independent; friction lags half a step behind
    expect(Math.abs(mean - 1)).toBeLessThan(0.03);
  });

  it('refuses a box in which a pair has several images within the cutoff, but for a temperature of 0', async () => {
    await using ctx = await createExecutionContext(cpu);
    const grid = gridOf(lattice({ structure: 'sc', latticeConstant: 0.7, repeat: [2, 4, 4] }), ctx);
    await updateNeighbors(grid, ctx, { rcut: 1, skin: 0.1 });
    const evaluateAt = async (kT: number) => {
      const pair = { A: 25, gamma: 4.5, rcut: 1 };
      const term = dpdForce({ types: ['A'], pairs: [pair], kT, dt: 0.02 });
      const ledger = new ForceLedger(grid, ctx);
      ledger.begin({ totals: true });
      ledger.add(term);
      return (await ledger.totals()).energy;
    };
    await expect(evaluateAt(1)).rejects.toThrow(/exceeds half the box, which is 0.7 along x/);
    // 32 particles with neighbors at 0.7, 3 pairs each, and at 0.7 √2, 6 pairs each.
    const energy = 32 * (3 * 12.5 * 0.3 ** 2 + 6 * 12.5 * (1 - 0.7 * Math.SQRT2) ** 2);
    expect((await evaluateAt(0)) / energy).toBeCloseTo(1, 10);
  });

  it('takes part in fused steps on WebGPU as on the CPU', async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    const [host, device] = [await run(cpu, 0.01, 10), await run({ backend: 'webgpu' }, 0.01, 10)];
    // single precision: trajectories part slowly
    expect(largestDifference(device, host)).toBeLessThan(1e-4);
  });
});

/** Mean square of the noise of a component of force: Σ over pairs 2 · 2 γ kT w²/Δt, over 3 N. */
function varianceOf({ count, position: r, type }: ReturnType<typeof fluid>): number {
  let sum = 0;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++) {
      const d = [0, 1, 2].map((axis) => {
        const x = r[3 * i + axis]! - r[3 * j + axis]!;
        return x - side * Math.round(x / side);
      });
      const { gamma, rcut } = pairs[type[i]! + type[j]!]!;
      const w = Math.max(0, 1 - Math.hypot(...d) / rcut);
      sum += (2 * 2 * gamma * w * w) / 0.02;
    }
  return sum / (3 * count);
}
