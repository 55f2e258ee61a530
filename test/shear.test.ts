import { readFileSync } from 'node:fs';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBox } from './support/boxCases.js';
import { Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Columns of the table by name, a row a step. */
function table(): Record<string, number[]> {
  const [head, ...rows] = readFileSync(work.path('out/thermo.csv'), 'utf8').trim().split('\n');
  const numbers = rows.map((row) => row.split(',').map(Number));
  return Object.fromEntries(
    head!.split(',').map((name, k) => [name, numbers.map((row) => row[k]!)]),
  );
}

describe('SLLOD', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => ctx.close());

  // dE/dt = −V P : ∇u, Evans and Morriss 1984. The sum of the work by trapezoids is of second order too.
  it.each([
    ['shear', '{ xy: 0.5 }', (t: Record<string, number[]>, k: number) => 0.5 * t.pxy![k]!],
    [
      'expansion',
      '{ xx: 0.2, yy: 0.2, zz: 0.2 }',
      (t: Record<string, number[]>, k: number) => 0.6 * t.pressure![k]!,
    ],
  ] as const)('does work on the particles as thermodynamics has it: %s', async (_, rate, power) => {
    const missing = async (dt: number, place: string): Promise<number> => {
      const flow = `${place}:\n  - deform: { true_rate: ${rate}, sllod: true }\n`;
      const parts = `thermo: { frequency: 1, box: true }\n${flow}`;
      const steps = Math.round(0.3 / dt);
      await runBox(work, ctx, { start: 'cube', steps }, parts, { dt, shift: 'force' });
      const t = table();
      const energy = t.total_energy!;
      let done = 0;
      for (let k = 1; k < energy.length; k++) {
        const w = (n: number) => t.volume![n]! * power(t, n);
        done -= (dt * (w(k - 1) + w(k))) / 2;
      }
      const change = energy.at(-1)! - energy[0]!;
      expect(Math.abs(change)).toBeGreaterThan(10);
      return Math.abs(done / change - 1);
    };
    const [long, short] = [
      await missing(0.004, 'after_drift'),
      await missing(0.002, 'after_drift'),
    ];
    expect(short).toBeLessThan(0.001);
    expect(long / short).toBeGreaterThan(3.5);
    expect(long / short).toBeLessThan(4.5);
    // Where forces are those before the flow, to first order.
    expect(await missing(0.001, '+numerical_scheme')).toBeLessThan(0.01);
  });
});
