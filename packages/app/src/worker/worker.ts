import type { Request } from '../session/messages.js';

// A software adapter draws too, slowly.
Object.assign(globalThis, { corpuscle: { CORPUSCLE_SOFTWARE_GPU: '1' } });

const port = globalThis as unknown as {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
};
// What the page asks for meanwhile waits for the engine, in its order.
let turn = import('./engine.js').then(
  ({ Engine }) => new Engine((report, transfer = []) => port.postMessage(report, transfer)),
);
port.onmessage = ({ data }) => {
  turn = turn.then(async (engine) => {
    await engine
      .answer(data)
      .catch((error: Error) => port.postMessage({ kind: 'notice', text: error.message }));
    return engine;
  });
};
