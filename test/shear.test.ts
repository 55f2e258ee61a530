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

  // dE/dt = −V P : ∇u, Evans and Morriss 1984. Rows have energies of before the flow of a step, and the pressure too.
  it.each([
    ['shear', '{ xy: 0.5 }', (t: Record<string, number[]>, k: number) => 0.5 * t['pxy']![k]!],
    [
      'expansion',
      '{ xx: 0.2, yy: 0.2, zz: 0.2 }',
      (t: Record<string, number[]>, k: number) => 0.6 * t['pressure']![k]!,
    ],
  ] as const)('does work on the particles as thermodynamics has it: %s', async (_, rate, power) => {
    const dt = 0.001;
    const scheme = `+numerical_scheme:\n  - deform: { true_rate: ${rate}, sllod: true }\n`;
    const parts = `thermo: { frequency: 1, box: true }\n${scheme}`;
    await runBox(work, ctx, { start: 'cube', steps: 300 }, parts, { dt, shift: 'force' });
    const t = table();
    const energy = t['total_energy']!;
    let done = 0;
    for (let k = 1; k < energy.length; k++) {
      const w = (n: number) => t['volume']![n]! * power(t, n);
      done -= (dt * (w(k - 1) + w(k))) / 2;
    }
    const change = energy.at(-1)! - energy[0]!;
    expect(Math.abs(change)).toBeGreaterThan(10);
    expect(Math.abs(done / change - 1)).toBeLessThan(0.01);
  });
});
