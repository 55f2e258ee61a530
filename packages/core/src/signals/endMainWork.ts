import { Session } from 'node:inspector';

/**
 * Ends what the main thread is doing, from another thread: V8 leaves all its functions, and the event loop goes on. Nothing of
 * them runs any more, not even `finally`. Node gives debuggers this; where it is built without, nothing happens.
 *
 * @param ended called when it has: a process that ends before waits for its debugger.
 */
export function endMainWork(ended: () => void = () => {}): void {
  try {
    const session = new Session();
    session.connectToMainThread();
    session.post('Runtime.terminateExecution', () => {
      session.disconnect();
      ended();
    });
  } catch {
    // The sentence says how the process is ended.
  }
}
