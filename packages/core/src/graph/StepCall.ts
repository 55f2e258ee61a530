/** A call of a pattern that has been prepared by @corpuscle/patterns. */
export interface StepCall {
  /** Makes the call. */
  run(): unknown;
}

/** The calls of one pass of a loop, fused. */
export interface FusedStep {
  /** Whether everything that the calls are bound to is what it was when they were fused. */
  isCurrent(): boolean;
  /** Whether it may wait while the clock goes on: no call looks at the moment. */
  readonly mayWait: boolean;
  /** Whether it is made together with those of other runs, for which it waits: its time says nothing. Absent: false. */
  readonly isShared?: boolean;
  /** Makes all calls once for each of the steps `first` to `last`; a promise where the host has to wait. */
  run(first: number, last: number): void | Promise<void>;
  /** Gives back what was fused; the calls stay as they are. */
  close(): void;
}

/** Fuses the calls of a pass that has just been made one by one. */
export type StepFuser = (calls: readonly StepCall[]) => FusedStep;
