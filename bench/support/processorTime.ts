import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Processor time of a process so far, in microseconds. */
export interface ProcessorTime {
  /** When that was, in milliseconds. */
  readonly at: number;
  /** Of all its threads: also those of V8 and of the driver, and those that have ended. */
  readonly all: number;
  /** What of that was spent in the operating system's kernel. */
  readonly system: number;
  /** Of each thread by name and number, where the system tells (Linux); the first is the one that runs JavaScript. */
  readonly threads: ReadonlyMap<string, number>;
}

export function processorTime(): ProcessorTime {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), all: user + system, system, threads: threadTimes() };
}

/** What was used between two looks, by step: of all threads, of the main one, and of others that used any. */
export function processorUse(from: ProcessorTime, to: ProcessorTime, steps: number) {
  const used = [...to.threads].map(
    ([name, time]) => [name, (time - (from.threads.get(name) ?? 0)) / steps] as const,
  );
  const others = used.slice(1).filter(([, time]) => time >= 0.05);
  return {
    all: (to.all - from.all) / steps,
    system: (to.system - from.system) / steps,
    main: used[0]?.[1] ?? Number.NaN,
    others,
  };
}

function threadTimes(): Map<string, number> {
  const times = new Map<string, number>();
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      const folder = `/proc/self/task/${thread}`;
      const name = readFileSync(`${folder}/comm`, 'utf8').trim();
      const nanoseconds = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
      times.set(`${name} ${thread}`, nanoseconds / 1000);
    }
  } catch {
    // a thread has ended, or the system has no such files
  }
  return times;
}
