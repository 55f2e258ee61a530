import { constants } from 'node:os';

/** What Node has inside for signals; a thread other than the main one has no public way to see them. */
interface SignalHandle {
  onsignal: (signal: number) => void;
  start(signal: number): number;
  close(): void;
}

const { SIGINT, SIGTERM, SIGHUP } = constants.signals;

/**
 * Calls back at SIGINT, SIGTERM or SIGHUP, in a thread whose event loop is free while the main thread hears nothing. Where
 * Node does not offer it any more, nothing is done: SIGKILL is left then.
 *
 * @returns a function that ends it, and whether it has begun
 */
export function hearSignals(heard: () => void): { readonly hears: boolean; end(): void } {
  const handles: SignalHandle[] = [];
  try {
    process.noDeprecation = true; // of this thread
    const { Signal } = (
      process as unknown as { binding(name: string): { Signal: new () => SignalHandle } }
    ).binding('signal_wrap');
    for (const signal of [SIGINT, SIGTERM, SIGHUP]) {
      const handle = new Signal();
      handle.onsignal = heard;
      handle.start(signal);
      handles.push(handle);
    }
  } catch {
    // Another Node: the sentence says how the process is ended.
  }
  return {
    hears: handles.length === 3,
    end: () => {
      for (const handle of handles) handle.close();
    },
  };
}
