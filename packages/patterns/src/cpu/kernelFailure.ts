import { CorpuscleError } from '@corpuscle/core';

/** What callers see of a kernel that threw or trapped: KERNEL_FAILED with its label; errors of ours pass as they are. */
export function kernelFailure(label: string, cause: unknown): CorpuscleError {
  if (cause instanceof CorpuscleError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new CorpuscleError('KERNEL_FAILED', `'${label}' failed: ${message}`, { cause });
}
