import { compileWhenUsed } from '@corpuscle/functor';
import type { Report, Request } from '../session/messages.js';

// A software adapter draws too, slowly.
Object.assign(globalThis, { corpuscle: { CORPUSCLE_SOFTWARE_GPU: '1' } });

/** Milliseconds between two beats. */
const BEAT = 500;

const port = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
};

async function openEngine() {
  const { Contexts } = await import('./Contexts.js');
  const contexts = new Contexts();
  // The device opens, and compiles what draws, while the operators load. The next question is answered with what is wrong.
  contexts.of({ configuration: {} }).catch(() => {});
  const { Engine } = await import('./engine.js');
  const tell = (report: Report, transfer: Transferable[] = []) =>
    port.postMessage(report, transfer);
  setInterval(() => tell({ kind: 'beat' }), BEAT);
  return new Engine(contexts, tell);
}

// What the page asks for meanwhile waits for the engine, in its order.
let turn = compileWhenUsed(openEngine);
turn.catch(({ message }: Error) =>
  port.postMessage({ kind: 'notice', text: `The engine could not be opened: ${message}` }),
);
port.onmessage = ({ data }) => {
  turn = turn.then(async (engine) => {
    await engine
      .answer(data)
      .catch((error: Error) => port.postMessage({ kind: 'notice', text: error.message }));
    return engine;
  });
};
