// Five pair functors through computeCellParticlePairs beside the same loops in C++, on one core and the same half list.
//
//   npx tsx bench/functors.ts [--repeat 20] [--passes 40] [--rounds 3] [--precision f64,f32] [--write]
//
// A pair counts once, when it is closer than the cutoff; time is that of one call, which adds to the particles' fields.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Grid } from '@corpuscle/core';
import { buildCpp, type CppResult, runCpp } from './functors/cppFunctors.js';
import { dumpList } from './functors/dumpList.js';
import { functorCases } from './functors/functorCases.js';
import { engines, ourMelt } from './melt/ourMelt.js';
import { particles, system } from './melt/system.js';
import { Report } from './support/Report.js';
import { median } from './support/statistics.js';
import { table } from './support/table.js';

const { values: options } = parseArgs({
  options: {
    repeat: { type: 'string', default: '20' },
    passes: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '3' },
    precision: { type: 'string', default: 'f64,f32' },
    write: { type: 'boolean', default: false },
  },
});
const repeat = Number(options.repeat);
const passes = Number(options.passes);
const rounds = Number(options.rounds);
const { rcut, skin, density } = system;

const report = new Report('functors: pairs a second beside C++');
const cpp = buildCpp();
if ('missing' in cpp) report.add(cpp.missing);
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));

const clear = (grid: Grid, fields: readonly string[]) => {
  for (const name of fields) grid.setValues(name, new Float64Array(grid.count));
};
const norm = (grid: Grid, fields: readonly string[]) =>
  Math.sqrt(fields.flatMap((name) => [...grid.values(name)]).reduce((sum, x) => sum + x * x, 0));

const rows: (string | number)[][] = [];
let pairs = 0;
let worst = 0;
for (const precision of options.precision.split(',')) {
  const engine = engines[precision];
  if (!engine) throw new Error(`--precision ${precision}: give some of ${Object.keys(engines)}`);
  const melt = await ourMelt({ repeat, threads: 1 }, engine, 'exact');
  melt.run(100); // a liquid
  const { grid, ctx } = melt;
  grid.addBlock({ name: 'coordination', type: 'f64', width: 1, members: ['coordination'] });
  grid.setValues(
    'type',
    Uint32Array.from({ length: grid.count }, (_, row) => row % 2),
  );
  const run = functorCases.map((one) => () => one.run(grid, ctx, rcut));
  const norms = functorCases.map(({ fields }, k) => {
    clear(grid, fields);
    run[k]!();
    return norm(grid, fields);
  });
  const file = join(folder, precision);
  pairs = dumpList(grid, file, rcut);
  const ours = functorCases.map((): number[] => []);
  const theirs: Map<string, CppResult>[] = [];
  for (let round = 0; round < rounds; round++) {
    if ('compiler' in cpp) theirs.push(runCpp(file, rcut, passes));
    run.forEach((call, k) => {
      for (let pass = 0; pass < passes; pass++) {
        const start = performance.now();
        call();
        if (pass >= passes / 4) ours[k]!.push(performance.now() - start);
      }
    });
  }
  const real = precision === 'f64' ? 'f64' : 'f32';
  const rate = (milliseconds: number) => pairs / milliseconds / 1000;
  const first = rate(median(ours[0]!));
  functorCases.forEach(({ name }, k) => {
    const mine = rate(median(ours[k]!));
    const other = theirs.map((round) => round.get(`${real} ${name}`)!);
    const native = rate(median(other.map(({ milliseconds }) => milliseconds)));
    if (other[0]) worst = Math.max(worst, Math.abs(norms[k]! / other[0].norm - 1));
    const columns = other[0] ? [native.toFixed(1), (mine / native).toFixed(2)] : ['–', '–'];
    rows.push([name, precision, mine.toFixed(1), (mine / first).toFixed(2), ...columns]);
  });
  await melt.close();
}
rmSync(folder, { recursive: true });

const count = particles({ repeat }).toLocaleString('en');
report.add(
  `${count} particles, density ${density}, cutoff ${rcut}, skin ${skin}, one thread, one half list for both; ${pairs.toLocaleString('en')} pairs within the cutoff; medians of ${rounds} rounds of ${passes} calls. C++: ${'compiler' in cpp ? cpp.compiler : 'none'}; norms of the outputs differ by at most ${worst.toExponential(1)}.`,
);
report.add(
  table(['functor', 'precision', 'M pairs/s', '÷ our LJ', 'C++ M pairs/s', 'ours ÷ C++'], rows),
);
report.finish(options.write);
