import { availableParallelism } from 'node:os';

/** Cores this process may use. */
export function availableThreads(): number {
  return availableParallelism();
}
