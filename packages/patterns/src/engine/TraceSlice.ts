/** What a thread or a device has done, for traces: a kernel, for an operator ('' for none). Times are milliseconds of `performance.now()`. */
export interface TraceSlice {
  /** `thread 1`, or `device`. */
  readonly track: string;
  readonly name: string;
  readonly operator: string;
  readonly begin: number;
  readonly milliseconds: number;
}
