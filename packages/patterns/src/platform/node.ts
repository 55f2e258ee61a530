import { writeSync } from 'node:fs';
import process from 'node:process';
import type { ProcessWatch } from './ProcessWatch.js';

/* What the engines need of Node. A page has the same names in ./browser.ts; the condition `browser` of package.json chooses. */
export { WorkerTeam } from '../cpu/WorkerTeam.js';
export { requestAdapter } from '../gpu/device/dawnAdapter.js';

/** Whether a pending mapping costs the host nothing: Dawn asks the driver in every turn of the event loop. */
export const tellsMapping: boolean = false;

const never = new Int32Array(new SharedArrayBuffer(4));

/** Sleeps, with all that the process does otherwise. */
export const doze = (milliseconds: number): void => void Atomics.wait(never, 0, 0, milliseconds);

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** This process. */
export const processWatch: ProcessWatch = {
  tell: (line) => void writeSync(2, line),
  onSignals(call) {
    for (const signal of SIGNALS) process.on(signal, call);
    return () => {
      for (const signal of SIGNALS) process.off(signal, call);
    };
  },
  // Node frees a device when it ends by itself, and Dawn then waits for the work; `process.exit` frees nothing.
  leaveDevices: () => void process.once('exit', () => process.exit()),
  processorTime() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
};
