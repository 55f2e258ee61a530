// The soaks of kills in their long form, many runs beside each other, without vitest.
//
//   npx tsx test/soak/many.ts [--kills 1000] [--rows 200] [--h5md 200] [--memory 10,5] [--side-by-side 12] [--backend cpu] [--seed 1] [--minutes 30]
//
// `--kills`: runs are killed at random moments and go on with --restart: at the end they have the bytes of a run without kills.
// `--rows`: runs are killed, and every row older than a second must be on disk; `--h5md`: every frame of an H5MD file.
// `--memory`: runs of a million steps with frames, of 4 n³ atoms for each n, may not need more memory in their second half.
// Each failure is printed with its seed; the exit code is then 1. No run is killed after so many minutes: the count says how many
// were. The packages must be built.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Workplace } from '../support/runCli.js';
import { CPU_WAYS, goOn } from './goOn.js';
import { h5mdOnDisk } from './h5mdOnDisk.js';
import { memoryOfRun } from './memoryOfRun.js';
import { rowsOnDisk } from './rowsOnDisk.js';
import { soak, type Try } from './soak.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '200' },
    h5md: { type: 'string', default: '200' },
    memory: { type: 'string', default: '' },
    steps: { type: 'string', default: '1000000' },
    'side-by-side': { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) },
    backend: { type: 'string', default: 'cpu' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
  },
});
const work = new Workplace();
const begun = performance.now();
const minutes = () => (performance.now() - begun) / 60_000;
let isBad = false;

async function run(name: string, attempt: Try, wanted: number): Promise<void> {
  let survived = 0;
  const failures = await soak(attempt, {
    kills: wanted,
    sideBySide: Number(values['side-by-side']),
    seed: Number(values.seed),
    isOver: () => minutes() > Number(values.minutes),
    onSurvived: (count) => {
      survived = count;
      if (count % 50 === 0) console.log(`${name}: ${count} kills, ${minutes().toFixed(1)} minutes`);
    },
  });
  for (const { seed, message } of failures)
    console.log(`${name}: FAILED, seed ${seed}: ${message}`);
  console.log(
    `${name}: ${survived} of ${wanted} kills survived, ${failures.length} tries failed, ${minutes().toFixed(1)} minutes`,
  );
  isBad ||= failures.length > 0 || survived < wanted;
}

/** Stories of all ways in turn: the seed chooses one. */
async function stories(): Promise<Try> {
  if (values.backend !== 'cpu') {
    work.limitSoftwareGpu();
    return goOn({ work, options: ['--backend', values.backend], steps: 150, every: 50 }, 'device');
  }
  const tries: Try[] = [];
  for (const [k, [, more]] of CPU_WAYS.entries()) {
    const options = ['--backend', 'cpu', ...more];
    tries.push(await goOn({ work, options, steps: 3000, every: 100 }, `way${k}`));
  }
  return (kills, random, seed) => tries[seed % tries.length]!(kills, random, seed);
}

/** MiB by which the second half of a run may add to the first: the heap of JavaScript grows and shrinks. */
const MORE = 32;

async function memory(repeat: number): Promise<void> {
  const steps = Number(values.steps);
  const options = ['--backend', values.backend, '--threads', '1'];
  const run = await memoryOfRun(work, { steps, repeat, options });
  const { code, err, seconds, resident, device } = run;
  console.log(
    `${4 * repeat ** 3} atoms, ${steps} steps, ${values.backend}: exit code ${code}, ${seconds.toFixed(1)} s, at most ${resident.join(' and ')} MiB by halves, on the device ${device.join(' and ')}\n${err}`,
  );
  const grows = [resident, device].some(([first, second]) => second > first + MORE);
  isBad ||= code !== 0 || grows;
}

for (const repeat of values.memory.split(',').filter(Boolean)) await memory(Number(repeat));
if (Number(values.h5md) > 0) await run('frames of H5MD', h5mdOnDisk(work), Number(values.h5md));
if (Number(values.rows) > 0) await run('rows on disk', rowsOnDisk(work), Number(values.rows));
if (Number(values.kills) > 0)
  await run(`going on, ${values.backend}`, await stories(), Number(values.kills));
if (isBad) console.log(`files are in ${work.root}`);
else work.remove();
process.exitCode = isBad ? 1 : 0;
