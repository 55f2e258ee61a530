import type { ProcessWatch } from './ProcessWatch.js';

/* What ./node.ts gives, in a page. */
export { requestAdapter } from './browser/navigatorAdapter.js';
export { WorkerTeam } from './browser/WorkerTeam.js';

/** Whether a pending mapping costs the host nothing. */
export const tellsMapping: boolean = true;

/** A page is told, and must not sleep. */
export const doze = (_milliseconds: number): void => {};

/** This page: it has no signals, and its processor time is not known. */
export const processWatch: ProcessWatch = {
  tell: (line) => console.warn(line.trimEnd()),
  onSignals: () => () => {},
  leaveDevices() {},
  processorTime: () => performance.now() / 1000,
};
