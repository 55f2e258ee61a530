import type { ProcessWatch } from './ProcessWatch.js';

/* What ./node.ts gives, in a page. */
export { requestAdapter } from './browser/navigatorAdapter.js';
export { WorkerTeam } from './browser/WorkerTeam.js';

/** Whether a pending mapping costs the host nothing. */
export const tellsMapping: boolean = true;

/** This page: it has no signals, and its processor time is not known. */
export const processWatch: ProcessWatch = {
  tell: (line) => console.warn(line.trimEnd()),
  onSignals: () => () => {},
  leaveDevices() {},
  processorTime: () => performance.now() / 1000,
};
