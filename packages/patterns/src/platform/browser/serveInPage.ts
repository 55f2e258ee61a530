import {
  type KernelMessage,
  type MemoryMessage,
  type ServeTask,
  serve,
  Told,
} from '../../cpu/serve.js';

/* The script of a worker of a page: its first message is the task, all others are kernels. */
const told = new Told();
let serving: Generator<number, void> | null = null;
let awaited = -1;

const send = (message: unknown): void =>
  (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(message);

globalThis.onmessage = ({ data }: MessageEvent<ServeTask | KernelMessage | MemoryMessage>) => {
  if ('control' in data) serving = serve(data, told, send);
  else told.hear(data);
  if (serving === null || (awaited >= 0 && !told.kernels.has(awaited))) return;
  const { done, value } = serving.next();
  if (done) globalThis.close();
  else awaited = value;
};
