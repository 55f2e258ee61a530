import { writeSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { endMainWork, hearSignals } from '@corpuscle/core/signals';

/** Milliseconds in which a second signal is the same wish: pnpm adds a SIGTERM to the SIGINT of the terminal. */
export const SAME = 1000;
/** Milliseconds that work which sets a run up may go on after a signal, and any work after a second one. */
const [PATIENCE, LITTLE] = [2000, 500];
/** Milliseconds after which a main thread that cannot be taken out of its work is not waited for. */
const LAST = 5000;

/**
 * Words that both threads see:
 *
 *   ANSWERED  the newest question that the main thread has answered
 *   STEPS     1 from the first step of the run on
 *   ENDED     1 when the work of the main thread has been ended
 */
export const Word = { ANSWERED: 0, STEPS: 1, ENDED: 2 } as const;

/** What the thread that hears signals is given. */
export interface EarTask {
  readonly words: Int32Array;
  /** Whether SIGHUP means nothing, as under `nohup`. */
  readonly ignoresHangUp: boolean;
}

/**
 * Thread → main thread: a question, which it answers as soon as it is free; 0 first of all, when signals are heard; or −1: the
 * work of the main thread has been ended.
 */
export type EarMessage = number;

/**
 * Hears signals while the main thread is inside one long piece of work, such as reading a large file:
 *
 *   signal ─▶ asks main whether it is free ─┬─▶ it is: its own handler ends the run
 *                                           ├─▶ it is not for 2 s, before the first step: its work is ended
 *                                           └─▶ it is not for 2 s, within a step: one line says what is waited for
 *   another one, a second later ─▶ asks again ─▶ it is not free for half a second: its work is ended
 */
export function listen({ words, ignoresHangUp }: EarTask, port: MessagePort): void {
  let first = 0;
  let asked = 0;
  const isFree = () => Atomics.load(words, Word.ANSWERED) >= asked;
  const ask = () => port.postMessage(++asked satisfies EarMessage);
  const end = () => {
    if (isFree()) return;
    Atomics.store(words, Word.ENDED, 1);
    endMainWork(() => port.postMessage(-1 satisfies EarMessage));
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST);
  };
  const look = () => {
    if (isFree()) return;
    if (Atomics.load(words, Word.STEPS) === 0) end();
    else
      writeSync(2, 'interrupted: the step is not done yet; another Ctrl-C ends the run at once\n');
  };
  hearSignals((signal) => {
    if (signal === 'SIGHUP' && ignoresHangUp) return;
    const now = performance.now();
    if (first > 0 && now - first <= SAME) return;
    ask();
    if (first > 0) setTimeout(end, LITTLE);
    else {
      first = now;
      setTimeout(look, PATIENCE);
    }
  });
  port.postMessage(0 satisfies EarMessage);
}
