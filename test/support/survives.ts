import { writeFileSync } from 'node:fs';
import { CorpuscleError } from '@corpuscle/core';
import { isLong } from './runs.js';

/** Milliseconds in which a reader must give an answer: processor time of all threads, which others on the machine do not prolong. */
const PATIENCE = 2000;
/** Milliseconds of any clock after which no answer is taken to come. */
const NO_ANSWER = 60_000;
/** A reader may allocate so many times what the file has. */
const TIMES = 4;
/** Bytes besides that any file may take, of arrays and of objects: texts, errors and what other code leaves. */
const OWN = { arrays: 1 << 16, objects: 1 << 24 } as const;

/** Files that are damaged, and who reads them. */
export interface Damages {
  /** What is damaged, as the long form names it. */
  readonly name: string;
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
export async function survives({
  name,
  files,
  count,
  damaged,
  read,
  ...rest
}: Damages): Promise<number> {
  const from = rest.from ?? Number(process.env.CORPUSCLE_FUZZ_FROM ?? 1);
  let refused = 0;
  let most = { spent: 0, slowest: 0, arrays: 0, objects: 0 };
  // What the first reading of a process makes once, such as compiled kernels, is not memory for a file.
  const first = files[from % files.length]!;
  writeFileSync(first, damaged(from));
  await (async () => read(first))().catch(() => {});
  for (let seed = from; seed < from + count; seed++) {
    const bytes = damaged(seed);
    const file = files[seed % files.length]!;
    writeFileSync(file, bytes);
    const before = { memory: process.memoryUsage(), time: process.cpuUsage() };
    try {
      await inTime(read(file), seed);
    } catch (error) {
      refused++;
      if (!(error instanceof CorpuscleError) || error.code === 'INTERNAL')
        throw new Error(`mutation ${seed}: ${(error as Error).stack}`, { cause: error });
    }
    const { user, system } = process.cpuUsage(before.time);
    const spent = (user + system) / 1000;
    const memory = process.memoryUsage();
    const arrays = memory.arrayBuffers - before.memory.arrayBuffers;
    const objects = memory.heapUsed - before.memory.heapUsed;
    if (spent > most.spent) most = { ...most, spent, slowest: seed };
    most.arrays = Math.max(most.arrays, arrays - TIMES * bytes.length);
    most.objects = Math.max(most.objects, objects - TIMES * bytes.length);
    if (spent > PATIENCE) throw new Error(`mutation ${seed} took ${spent} ms`);
    if (most.arrays > OWN.arrays || most.objects > OWN.objects)
      throw new Error(
        `mutation ${seed} of ${bytes.length} bytes took ${arrays} bytes of arrays, ${objects} of objects`,
      );
    const done = seed - from + 1;
    if (isLong && (done === count || done % 10_000 === 0))
      process.stderr.write(
        `${done} damages of ${name}: ${refused} refused, at most ${most.spent.toFixed(0)} ms (${most.slowest}), above ${TIMES} times the file ${most.arrays} bytes of arrays, ${most.objects} of objects; the process at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB\n`,
      );
  }
  return refused;
}

/** An answer that never comes would be none of processor time either. */
async function inTime(answer: unknown, seed: number): Promise<void> {
  if (!(answer instanceof Promise)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new Error(`mutation ${seed} has no answer in ${NO_ANSWER} ms`));
    timer = setTimeout(fail, NO_ANSWER);
  });
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
