import { type KernelMessage, type ServeTask, serve } from '../../cpu/serve.js';

/* The script of a worker of a page: its first message is the task, all others are kernels. */
const told = new Map<number, KernelMessage>();
let serving: Generator<number, void> | null = null;
let awaited = -1;

const send = (message: unknown): void =>
  (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(message);

globalThis.onmessage = ({ data }: MessageEvent<ServeTask | KernelMessage>) => {
  if ('control' in data) serving = serve(data, told, send);
  else told.set(data.id, data);
  if (serving === null || (awaited >= 0 && !told.has(awaited))) return;
  const { done, value } = serving.next();
  if (done) globalThis.close();
  else awaited = value;
};
