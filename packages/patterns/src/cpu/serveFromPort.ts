import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { type KernelMessage, type MemoryMessage, type ServeTask, serve, Told } from './serve.js';

/** A task with what Node's threads talk through. */
export interface PortTask extends ServeTask {
  readonly port: MessagePort;
  /** Closes with this thread, which is how the watching thread learns of its end. */
  readonly life: MessagePort;
}

/** Serves jobs until told to stop; kernels that have been sent are read from the port when they are needed. */
export function serveFromPort(task: PortTask): void {
  const told = new Told();
  for (const id of serve(task, told, (message) => task.port.postMessage(message))) {
    while (!told.kernels.has(id)) {
      const received = receiveMessageOnPort(task.port) as
        | { message: KernelMessage | MemoryMessage }
        | undefined;
      if (!received) throw new Error(`kernel ${id} has not been sent`);
      told.hear(received.message);
    }
  }
}
