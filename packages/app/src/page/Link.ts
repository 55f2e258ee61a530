import type { Report, Request } from '../session/messages.js';

type Listener<K extends Report['kind']> = (report: Extract<Report, { kind: K }>) => void;

/** The way to the engine and back. */
export class Link {
  readonly #worker = new Worker(new URL('../worker/worker.ts', import.meta.url), {
    type: 'module',
    name: 'engine',
  });
  readonly #listeners = new Map<string, ((report: never) => void)[]>();

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Report>) => {
      for (const listener of this.#listeners.get(data.kind) ?? []) listener(data as never);
    };
  }

  /** Asks for something. */
  ask(request: Request, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  /** Is told of every report of a kind. */
  on<K extends Report['kind']>(kind: K, listener: Listener<K>): void {
    const listeners = this.#listeners.get(kind) ?? [];
    listeners.push(listener as (report: never) => void);
    this.#listeners.set(kind, listeners);
  }
}
