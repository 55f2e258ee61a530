import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';

/** Where a combination runs. */
export interface Target {
  readonly name: string;
  /** Relative error allowed of sums of some hundred terms: 0 where arithmetic is the host's. */
  readonly tolerance: number;
  readonly ctx: ExecutionContext;
}

interface Request {
  readonly backend: 'cpu' | 'webgpu';
  readonly lowering: 'simd' | 'scalar' | 'javascript';
  readonly precision: 'f64' | 'f32' | 'mixed';
}

const nameOf = ({ backend, lowering, precision }: Request): string =>
  backend === 'cpu' ? `cpu ${lowering} ${precision}` : `webgpu ${precision}`;

/** State is f64 on the CPU in every precision; pairs compute in what was asked for. */
const tolerances = { f64: 1e-12, f32: 4e-6, mixed: 4e-6 } as const;

const lowerings = ['simd', 'scalar', 'javascript'] as const;
const requests: Readonly<Record<'state' | 'pairs', readonly Request[]>> = {
  state: [
    ...lowerings.map((lowering) => ({ backend: 'cpu', lowering, precision: 'f64' }) as const),
    { backend: 'webgpu', lowering: 'simd', precision: 'f32' },
    { backend: 'webgpu', lowering: 'simd', precision: 'f64' },
  ],
  pairs: [
    ...lowerings.map((lowering) => ({ backend: 'cpu', lowering, precision: 'f64' }) as const),
    { backend: 'cpu', lowering: 'simd', precision: 'f32' },
    { backend: 'cpu', lowering: 'simd', precision: 'mixed' },
    { backend: 'webgpu', lowering: 'simd', precision: 'f32' },
    { backend: 'webgpu', lowering: 'simd', precision: 'mixed' },
    { backend: 'webgpu', lowering: 'simd', precision: 'f64' },
  ],
};

/**
 * Opens every backend and precision that concerns a group of patterns. One that this machine lacks becomes a test that says
 * so, and fails where CI=true: nothing is left out in silence.
 */
export async function openTargets(group: keyof typeof requests): Promise<Target[]> {
  const targets: Target[] = [];
  for (const request of requests[group]) {
    const name = nameOf(request);
    try {
      const ctx = await createExecutionContext({ ...request, threads: 2 });
      targets.push({ name, ctx, tolerance: tolerances[request.precision] });
    } catch (error) {
      missing(name, error instanceof Error ? error.message : String(error));
    }
  }
  afterAll(async () => {
    for (const { ctx } of targets) await ctx.close();
  });
  return targets;
}

function missing(name: string, reason: string): void {
  if (process.env.CI === 'true')
    it(`has ${name}`, () => {
      expect.fail(`${name} is not available: ${reason}`);
    });
  else it.skip(`${name} is not available here: ${reason}`, () => {});
}

/** Equal within the tolerance, relative to the largest number there. */
export function expectNear(
  found: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
): void {
  expect(found.length).toBe(expected.length);
  let scale = 1;
  for (let k = 0; k < expected.length; k++)
    if (Number.isFinite(expected[k])) scale = Math.max(scale, Math.abs(expected[k]!));
  for (let k = 0; k < expected.length; k++) {
    const [a, b] = [found[k]!, expected[k]!];
    if (a === b || Math.abs(a - b) <= tolerance * scale) continue;
    expect({ k, value: a }).toEqual({ k, value: b });
  }
}
