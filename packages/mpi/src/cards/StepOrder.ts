import type { PatternHandle } from '@corpuscle/patterns';
import { CallOrder } from '@corpuscle/patterns/engines';

/** The order of the calls of a rank. The end of a step may be put off until it is known what comes next: it is made before any other call. */
export class StepOrder extends CallOrder {
  #end: (() => void) | null = null;

  /** Puts calls off, which end a step. */
  leave(end: () => void): void {
    this.#makeEnd();
    this.#end = end;
  }

  /** Whether these calls have been put off. If so, the caller makes them. */
  take(end: () => void): boolean {
    const isOpen = this.#end === end;
    if (isOpen) this.#end = null;
    return isOpen;
  }

  override run<R>(
    prepare: () => Promise<void> | null,
    start: () => PatternHandle<R>,
  ): PatternHandle<R> {
    this.#makeEnd();
    return super.run(prepare, start);
  }

  override settled(): Promise<void> {
    this.#makeEnd();
    return super.settled();
  }

  /** Resolves when no call waits any more, but for an end that has been put off. */
  reached(): Promise<void> {
    return super.settled();
  }

  #makeEnd(): void {
    const end = this.#end;
    this.#end = null;
    end?.();
  }
}
