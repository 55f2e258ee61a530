/**
 * Coordination numbers, value + derivatives + box derivatives, at water's density of atoms (33.4 nm⁻³, R_0 0.3, D_MAX 0.6):
 * the figures of PLUMED on one core of the project's machine are 25 ms (10,000) and 129 ms (50,000) with cell lists made
 * every step, and 7.8 ms for all pairs of 1,000.
 *
 *   npx tsx bench/coordination.ts [cpu|webgpu] [largest count]
 */
import { loadavg } from 'node:os';
import { Domain, Grid } from '@corpuscle/core';
import { CoordinationNumber } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';

const DENSITY = 33.4;
const backend = process.argv[2] === 'webgpu' ? 'webgpu' : 'cpu';
const largest = Number(process.argv[3] ?? 50_000);

await using ctx = await createExecutionContext({ backend, threads: 1 });
console.info(`${backend}, ${ctx.precision}, one thread, load ${loadavg()[0]!.toFixed(2)}`);
for (const count of [1_000, 10_000, 50_000, 100_000, 1_000_000]) {
  if (count > largest) continue;
  const grid = liquid(ctx, count);
  if (count <= 10_000) await measure(grid, 'all_pairs', 0, 'all pairs');
  await measure(grid, 'neighbour_lists', 0, 'lists made every frame');
  await measure(grid, 'neighbour_lists', 0.05, 'lists reused, skin 0.05');
  grid.free();
}

async function measure(
  grid: Grid,
  path: 'all_pairs' | 'neighbour_lists',
  skin: number,
  name: string,
): Promise<void> {
  const number = new CoordinationNumber(ctx, {
    groupA: 'all',
    switch: { type: 'rational', r0: 0.3, dMax: 0.6 },
    path,
  });
  const runs = grid.count > 200_000 ? 5 : 20;
  const times: number[] = [];
  let value = 0;
  for (let k = 0; k < runs + 5; k++) {
    // Without a skin any motion makes the lists anew.
    if (skin === 0) jiggle(grid, k);
    const start = performance.now();
    ({ value } = await number.evaluate(grid, { rcut: 0, skin }));
    if (k >= 5) times.push(performance.now() - start);
  }
  number.close();
  times.sort((a, b) => a - b);
  const [best, median] = [times[0]!, times[times.length >> 1]!];
  console.info(
    `${String(grid.count).padStart(8)}  ${name.padEnd(24)} best ${best.toFixed(2).padStart(8)} ms  median ${median.toFixed(2).padStart(8)} ms  value ${value}`,
  );
}

/** Random particles that keep some distance: points of a lattice, displaced. */
function liquid({ heap }: ExecutionContext, count: number): Grid {
  const length = (count / DENSITY) ** (1 / 3);
  const grid = new Grid(heap, Domain.orthorhombic([length, length, length]));
  grid.resize(count);
  const sites = Math.ceil(count ** (1 / 3));
  const position = grid.block('position').array as Float64Array;
  const id = grid.block('id').array as BigUint64Array;
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let k = 0; k < count; k++) {
    const site = [k % sites, Math.floor(k / sites) % sites, Math.floor(k / sites ** 2)];
    site.forEach((s, axis) => {
      position[4 * k + axis] = ((s + 0.6 * random()) * length) / sites;
    });
    id[k] = BigInt(k);
  }
  grid.block('position').hostWritten();
  grid.block('id').hostWritten();
  return grid;
}

function jiggle(grid: Grid, k: number): void {
  const position = grid.block('position').array as Float64Array;
  position[0]! += k % 2 === 0 ? 1e-6 : -1e-6;
  grid.block('position').hostWritten();
}
