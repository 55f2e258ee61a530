import { constants } from 'node:os';

/** What Node has inside for signals; a thread other than the main one has no public way to see them. */
interface SignalHandle {
  onsignal: (signal: number) => void;
  start(signal: number): number;
  close(): void;
}

/** Signals that ask a process to end. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One of them. */
export type EndSignal = (typeof endSignals)[number];

/** What listens to signals. */
export interface SignalEar {
  /** False where Node does not offer it any more: nothing is heard then, and SIGKILL is left. */
  readonly hears: boolean;
  /** Listens no longer. */
  end(): void;
}

/**
 * Calls back at SIGINT, SIGTERM or SIGHUP, in a thread whose event loop is free while the main thread hears nothing. Handlers of
 * the main thread are called too, when it is free.
 *
 * @example
 * // in a worker
 * const ear = hearSignals((signal) => console.log(signal));
 * ear.end();
 */
export function hearSignals(heard: (signal: EndSignal) => void): SignalEar {
  const handles: SignalHandle[] = [];
  try {
    process.noDeprecation = true; // of this thread
    const { Signal } = (
      process as unknown as { binding(name: string): { Signal: new () => SignalHandle } }
    ).binding('signal_wrap');
    for (const name of endSignals) {
      const handle = new Signal();
      handle.onsignal = () => heard(name);
      handle.start(constants.signals[name]);
      handles.push(handle);
    }
  } catch {
    // Another Node: the sentence says how the process is ended.
  }
  return {
    hears: handles.length === endSignals.length,
    end: () => {
      for (const handle of handles) handle.close();
    },
  };
}
