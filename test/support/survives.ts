import { writeFileSync } from 'node:fs';
import { CorpuscleError } from '@corpuscle/core';
import { isLong } from './runs.js';

/** A reader must give an answer within this, in milliseconds: 2 s on a quiet machine. */
const PATIENCE = 8000;
/** Bytes that a reader takes for itself, whatever the file: pieces that it reads, and what other tests leave. */
const OWN = 32 * 2 ** 20;

/** Files that are damaged, and who reads them. */
export interface Damages {
  /** Where damaged files are written, in turn. */
  readonly files: readonly string[];
  readonly count: number;
  /** The damaged file of a seed, the same for the same seed. */
  readonly damaged: (seed: number) => Buffer;
  readonly read: (file: string) => unknown;
  /** The first seed; CORPUSCLE_FUZZ_FROM goes on where a run has ended. */
  readonly from?: number;
}

/** Reads damaged files: each is read, or refused with an error of ours, soon and in bounded memory. */
export async function survives({ files, count, damaged, read, ...rest }: Damages): Promise<number> {
  const from = rest.from ?? Number(process.env.CORPUSCLE_FUZZ_FROM ?? 1);
  let refused = 0;
  let slowest = { spent: 0, seed: 0 };
  for (let seed = from; seed < from + count; seed++) {
    const bytes = damaged(seed);
    const file = files[seed % files.length]!;
    writeFileSync(file, bytes);
    const before = process.memoryUsage().arrayBuffers;
    const start = performance.now();
    try {
      await inTime(read(file), seed);
    } catch (error) {
      refused++;
      if (!(error instanceof CorpuscleError) || error.code === 'INTERNAL')
        throw new Error(`mutation ${seed}: ${(error as Error).stack}`, { cause: error });
    }
    const spent = performance.now() - start;
    const allocated = process.memoryUsage().arrayBuffers - before;
    if (spent > slowest.spent) slowest = { spent, seed };
    if (spent > PATIENCE) throw new Error(`mutation ${seed} took ${spent} ms`);
    if (allocated > 4 * bytes.length + OWN)
      throw new Error(`mutation ${seed} of ${bytes.length} bytes took ${allocated} bytes`);
    const done = seed - from + 1;
    if (isLong && (done === count || done % 10_000 === 0))
      process.stderr.write(
        `${done} damages: ${refused} refused, slowest ${slowest.spent.toFixed(0)} ms (${slowest.seed})\n`,
      );
  }
  return refused;
}

/** An answer that takes twice the patience is no answer. */
async function inTime(answer: unknown, seed: number): Promise<void> {
  if (!(answer instanceof Promise)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`mutation ${seed} has no answer in ${2 * PATIENCE} ms`));
    timer = setTimeout(fail, 2 * PATIENCE);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
