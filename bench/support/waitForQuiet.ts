import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const busy = () =>
  cpus().reduce((sum, { times }) => sum + times.user + times.sys + times.nice + times.irq, 0);

/**
 * Waits until the rest of the machine leaves the cores alone for a second, or until time is up.
 *
 * @param seconds the longest wait.
 * @returns cores in use by others in the last second.
 */
export async function waitForQuiet(seconds: number): Promise<number> {
  const deadline = performance.now() + 1000 * seconds;
  for (;;) {
    const before = busy();
    const start = performance.now();
    await sleep(1000);
    const used = (busy() - before) / (performance.now() - start);
    if (used < 0.1 || performance.now() > deadline) return used;
  }
}
