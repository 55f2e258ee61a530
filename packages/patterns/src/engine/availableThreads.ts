import { host } from '@corpuscle/core/platform';

/** Cores this process, or this page, may use at the same time over shared memory. */
export function availableThreads(): number {
  return host.threads();
}
