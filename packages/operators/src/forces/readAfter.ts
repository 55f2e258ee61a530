import { combined, type PatternHandle } from '@corpuscle/patterns';

/** What values are once a call has been made that writes them; `made` is null where it is part of a step that has been made. */
export function readAfter<R>(
  made: PatternHandle<unknown> | null,
  read: () => PatternHandle<R>,
): PatternHandle<R> {
  return !made || made.done ? read() : combined([made], () => read().wait());
}
