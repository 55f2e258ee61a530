import { parentPort } from 'node:worker_threads';
import { CorpuscleError, type ErrorCode } from '@corpuscle/core';
import { buffersOf } from './buffersOf.js';
import type { WorkAnswer } from './WorkThread.js';

/** Answers the requests of a `WorkThread` in their order. Arrays of the answer are given away. */
export function serve<Request, Value>(handle: (request: Request) => Value | Promise<Value>): void {
  let before: Promise<void> = Promise.resolve();
  parentPort?.on('message', (request: Request) => {
    before = before.then(async () => {
      let answer: WorkAnswer<Value>;
      try {
        answer = { value: await handle(request) };
      } catch (error) {
        const { code, message } = error as Error & { readonly code?: ErrorCode };
        answer = { code: error instanceof CorpuscleError ? code! : 'INTERNAL', message };
      }
      parentPort!.postMessage(answer, 'value' in answer ? buffersOf(answer.value) : []);
    });
  });
}
