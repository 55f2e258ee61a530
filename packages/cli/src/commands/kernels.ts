import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListedKernel } from '@corpuscle/patterns';
import { exitCode } from '../exitCodes.js';
import { formatError, formatWarning } from '../output/formatError.js';
import type { KernelOptions } from '../program/options.js';
import type { Streams } from '../Streams.js';
import { inputFiles } from './inputFiles.js';
import { loadInput } from './loadInput.js';

/** Steps that are made. Those on a device that does nothing cost little, and fused kernels come after the first ones. */
const STEPS = { wgsl: 200, wat: 20, js: 20 } as const;

/**
 * `corpuscle kernels`: prints the kernels that the first steps of a run need, as their engine assembles them. Kernels of the
 * GPU need none: the steps run on a device that does nothing. Output files of the run go to a folder that is removed.
 */
export async function kernels(
  files: readonly string[],
  options: KernelOptions,
  streams: Streams,
): Promise<number> {
  const [{ runSimulation }, { listKernels }, simulation] = await Promise.all([
    import('@corpuscle/core'),
    import('@corpuscle/patterns'),
    loadInput(files, options, streams),
  ]);
  for (const warning of simulation.warnings) streams.err(formatWarning(warning, streams));
  const { configuration } = simulation;
  const list = await listKernels({
    target: options.target,
    threads: options.threads ?? configuration.threads,
    precision: options.precision ?? configuration.precision,
    deterministic: configuration.deterministic,
  });
  const { steps = STEPS[options.target] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-kernels-'));
  let result: number = exitCode.done;
  try {
    await runSimulation(simulation, {
      context: list.context,
      outputDirectory: folder,
      stopAfter: steps,
    });
  } catch (error) {
    if (list.kernels.length === 0) throw error;
    // On a device that does nothing every value is zero, which some operators refuse.
    streams.err(`${formatError(error, streams).trimEnd()}\nkernels up to there follow\n`);
    result = exitCode.failed;
  } finally {
    await list.context.close().catch(() => undefined);
    rmSync(folder, { recursive: true });
  }
  const chosen = await select(list.kernels, options.functor);
  const { target } = options;
  const names = inputFiles(files);
  streams.out(
    options.json
      ? `${JSON.stringify({ files: names, steps, target, kernels: chosen })}\n`
      : format(chosen, target, `${names.join(', ')}, first ${steps} steps`),
  );
  return result;
}

/** Kernels with a functor or a step of this name. @throws CorpuscleError INVALID_VALUE with a near name where there is none. */
async function select(
  all: readonly ListedKernel[],
  name: string | undefined,
): Promise<readonly ListedKernel[]> {
  if (name === undefined) return all;
  const chosen = all.filter(({ label }) => partsOf(label).includes(name));
  if (chosen.length > 0) return chosen;
  const { CorpuscleError, didYouMean } = await import('@corpuscle/core');
  const names = new Set(all.flatMap(({ label }) => partsOf(label)));
  throw new CorpuscleError(
    'INVALID_VALUE',
    `no kernel of this run has a functor '${name}'${didYouMean(name, names, 'run without --functor to see all')}`,
  );
}

/** Names in a label: functors and steps of an engine, and what the latter belong to (`sort` of `sort: bin`). */
function partsOf(label: string): string[] {
  return label.split('+').flatMap((part) => {
    const name = part.trim();
    const [first] = name.split(':');
    return first === name ? [name] : [name, first!];
  });
}

/** What kernels of one name do not have in common, line by line of what their texts say about themselves. */
function differences(kernel: ListedKernel, all: readonly ListedKernel[]): readonly string[] {
  const alike = all.filter(({ label }) => label === kernel.label);
  if (alike.length === 1) return [];
  const about = alike.map(({ text }) => aboutLines(text));
  return aboutLines(kernel.text).filter((line) => !about.every((one) => one.includes(line)));
}

/** The comment that a text begins with, as far as it says what the kernel does. */
function aboutLines(text: string): string[] {
  const lines = text.trim().split('\n');
  const end = lines.findIndex((line) => !/^(\/\/|;;)/.test(line) || /argument record/.test(line));
  return lines.slice(0, end).map((line) => line.replace(/^\S+\s*/, ''));
}

function format(
  chosen: readonly ListedKernel[],
  target: KernelOptions['target'],
  origin: string,
): string {
  const mark = target === 'wat' ? ';;' : '//';
  const width = Math.max(...chosen.map(({ label }) => label.length));
  const contents = chosen.flatMap((kernel, k) => {
    const { label, operators } = kernel;
    const name = `${mark} ${String(k + 1).padStart(3)}  ${label.padEnd(width)}`;
    const whose = operators.length > 0 ? `${name}  for ${operators.join(', ')}` : name;
    return [
      whose.trimEnd(),
      ...differences(kernel, chosen).map((line) => `${mark}        ${line}`),
    ];
  });
  const some = chosen.length === 1 ? '1 kernel' : `${chosen.length} kernels`;
  const head = `${mark} ${origin}: ${some} in ${target}, in the order of their first use\n${mark}\n`;
  const parts = chosen.map(
    ({ label, text }, k) =>
      `\n${mark} ${'─'.repeat(4)} ${k + 1} ${label} ${'─'.repeat(Math.max(4, 90 - label.length))}\n\n${text.trimEnd()}\n`,
  );
  return `${head}${contents.join('\n')}\n${parts.join('')}`;
}
