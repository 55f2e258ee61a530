import type { ExecutionContext } from '@corpuscle/patterns';

/** What kernels of one sort took, in milliseconds. */
export interface JobTimes {
  jobs: number;
  /** From the call of the pool to its return. */
  wall: number;
  /** Inside of kernels: of all threads, and of the one that worked longest in each job. */
  busy: number;
  longest: number;
}

interface Pool {
  measure(): () => Float64Array;
  run(kernel: { readonly label: string }, ...rest: unknown[]): void;
}

/** Words of 32 bits count the time: it starts again after so many milliseconds. */
const AROUND = 2 ** 18;

/** Times every job of a context's threads from now on. Returns what gives the times so far by `sortOf` of a label, and forgets them. */
export function poolTimes(
  ctx: ExecutionContext,
  sortOf: (label: string) => string,
): () => ReadonlyMap<string, JobTimes> {
  const { pool } = ctx.engines.host as unknown as { readonly pool: Pool };
  const read = pool.measure();
  let times = new Map<string, JobTimes>();
  const run = pool.run.bind(pool);
  pool.run = (kernel, ...rest) => {
    const before = read();
    const start = performance.now();
    run(kernel, ...rest);
    const wall = performance.now() - start;
    const busy = read().map((time, t) => (time - before[t]! + AROUND) % AROUND);
    const sort = sortOf(kernel.label);
    const sum = times.get(sort) ?? { jobs: 0, wall: 0, busy: 0, longest: 0 };
    times.set(sort, sum);
    sum.jobs++;
    sum.wall += wall;
    sum.busy += busy.reduce((a, b) => a + b);
    sum.longest += Math.max(...busy);
  };
  return () => {
    const found = times;
    times = new Map();
    return found;
  };
}
