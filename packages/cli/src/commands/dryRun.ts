import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorsOf, type Progress, type Simulation } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import { formatWarning } from '../output/formatError.js';
import { bytes } from '../output/formatProfile.js';
import { duration, rate } from '../output/SpeedMeter.js';
import { grouped } from '../output/summary.js';
import type { RunOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';

/** Milliseconds of steps that are measured. */
const MEASURED = 2000;

/**
 * `corpuscle run --dry-run`: makes the set-up and the steps of two seconds, and tells what the run would take. Nothing is guessed
 * from formulas; the files of these steps are written to a folder that is removed.
 */
export async function dryRun(
  simulation: Simulation,
  options: RunOptions,
  streams: Streams,
): Promise<number> {
  const [{ runSimulation }, { gridKey, memoryNeeds, planKey, statisticsKey }] = await Promise.all([
    import('@corpuscle/core'),
    import('@corpuscle/operators'),
  ]);
  const { contextFor } = await import('./contextFor.js');
  for (const warning of simulation.warnings) streams.err(formatWarning(warning, streams));
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-dry-run-'));
  const enough = new AbortController();
  const moments: { first?: Moment; last?: Moment } = {};
  const began = performance.now();
  await using context = await contextFor(simulation, options);
  try {
    const { state } = await runSimulation(simulation, {
      context,
      outputDirectory: folder,
      signal: enough.signal,
      onProgress(progress) {
        const moment = { ...progress, now: performance.now() };
        moments.first ??= moment;
        moments.last = moment;
        if (moment.now - moments.first.now > MEASURED) enough.abort();
      },
    });
    const grid = state.find(gridKey);
    const lists = state.find(planKey)?.lists;
    const { rebuilds = 0, tunedSkin } = state.find(statisticsKey)?.updates ?? {};
    const setUp = ((moments.first?.now ?? performance.now()) - began) / 1000;
    const rows: [string, string][] = [
      ['files', simulation.outputs.map(({ name }) => name).join(', ') || 'none'],
      ['backend', `${context.backend}, ${context.precision}, ${context.threads} threads`],
      ['atoms', grid ? grouped(grid.count) : 'none'],
      ['memory', memoryOf(context)],
      ['set-up', `${setUp.toPrecision(2)} s`],
    ];
    if (grid) {
      const particles = { count: grid.count, volume: grid.domain.volume };
      const { heap, limit, mostRows } = memoryNeeds(state, particles, Number.POSITIVE_INFINITY);
      const most = grouped(Math.min(mostRows, Math.floor((limit / heap) * grid.count)));
      const room = `${bytes(heap)} of ${bytes(limit)} at least; for ${most} such atoms`;
      rows.push(['room', Number.isFinite(limit) ? room : `${bytes(heap)} at least`]);
    }
    if (lists && lists.rcut > 0) {
      const skin = tunedSkin ?? lists.skin;
      const beyond = skin === 'auto' ? 'a skin that the run tunes' : `skin ${round(skin)}`;
      rows.push(['lists', `cutoff ${round(lists.rcut)}, ${beyond}; ${timesOf(moments, rebuilds)}`]);
    }
    rows.push(...timeOf(moments, setUp, runsOf(simulation)));
    if (options.json) {
      streams.out(`${JSON.stringify(Object.fromEntries(rows))}\n`);
      return exitCode.done;
    }
    const width = Math.max(...rows.map(([name]) => name.length));
    streams.out(rows.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join(''));
    return exitCode.done;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Moment extends Progress {
  readonly now: number;
}

interface Moments {
  readonly first?: Moment;
  readonly last?: Moment;
}

function memoryOf(context: {
  readonly heap: { readonly allocatedBytes: number };
  readonly device: { readonly counters: { readonly allocatedBytes: number } } | null;
}): string {
  const process_ = `${bytes(process.resourceUsage().maxRSS * 1024)} in the process`;
  const device = context.device?.counters.allocatedBytes;
  if (device !== undefined) return `${process_}; ${bytes(device)} on the device`;
  return `${process_}, ${bytes(context.heap.allocatedBytes)} of it particles and lists`;
}

function timesOf({ first, last }: Moments, rebuilds: number): string {
  const steps = first && last ? last.step - first.step : 0;
  if (rebuilds <= 1) return `built once in ${steps} steps`;
  return `built every ${(steps / rebuilds).toFixed(1)} steps`;
}

/** How often a run begins in a file. */
function runsOf({ root }: Simulation): number {
  const names = [...operatorsOf(root)].map(({ definition }) => definition.name);
  return names.filter((name) => name === 'begin_run' || name === 'begin_stage').length;
}

/** Steps, speed and the time of the whole run, as far as the file says when it ends. */
function timeOf({ first, last }: Moments, setUp: number, runs: number): [string, string][] {
  if (!first || !last || last.step === first.step)
    return [['steps', 'none: the file has no loop that makes steps']];
  const perSecond = ((last.step - first.step) / (last.now - first.now)) * 1000;
  const speed: [string, string] = [
    'speed',
    `${rate(perSecond)} steps/s, over ${last.step - first.step} steps`,
  ];
  if (last.endStep === undefined) return [['steps', 'the file does not say how many'], speed];
  const steps = last.endStep - first.step;
  return [
    ['steps', runs > 1 ? `${grouped(steps)} or more: the file has ${runs} runs` : grouped(steps)],
    speed,
    ['time', `about ${duration(setUp + steps / perSecond)}`],
  ];
}

const round = (value: number): string => String(Number(value.toPrecision(3)));
