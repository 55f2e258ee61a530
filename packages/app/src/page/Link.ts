import type { Report, Request } from '../session/messages.js';

type Listener<K extends Report['kind']> = (report: Extract<Report, { kind: K }>) => void;

/** What a run elsewhere is asked for; the worker of the page does everything else. */
const elsewhere: readonly Request['kind'][] = ['run', 'retune', 'pause', 'resume', 'stop', 'speed'];

/**
 * The way to the engine and back. With `corpuscle view --run` the run is elsewhere, and the engine draws what is sent from there:
 *
 *   page ── run, pause, … ──► WebSocket ── reports ──► page
 *                                 └── frames ──► worker ── drawn ──► WebSocket
 */
export class Link {
  readonly #worker = new Worker(new URL('../worker/worker.ts', import.meta.url), {
    type: 'module',
    name: 'engine',
  });
  readonly #listeners = new Map<string, ((report: never) => void)[]>();
  #run: WebSocket | null = null;
  #look: Request | null = null;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.kind === 'drawn elsewhere') this.#send({ kind: 'drawn' });
      else this.#tell(data);
    };
  }

  /** Asks for something. */
  ask(request: Request, transfer: Transferable[] = []): void {
    if (this.#run && request.kind === 'preview') return; // particles are those of the run
    if (this.#run && elsewhere.includes(request.kind)) {
      this.#send(request);
      return;
    }
    if (request.kind === 'look') {
      this.#look = request; // the run sends the number that colors come from
      this.#send(request);
    }
    this.#worker.postMessage(request, transfer);
  }

  /** Is told of every report of a kind. */
  on<K extends Report['kind']>(kind: K, listener: Listener<K>): void {
    const listeners = this.#listeners.get(kind) ?? [];
    listeners.push(listener as (report: never) => void);
    this.#listeners.set(kind, listeners);
  }

  /** Looks at a run elsewhere from now on; resolves when it is reached. */
  connect(url: string): Promise<void> {
    const run = new WebSocket(url);
    run.binaryType = 'arraybuffer';
    run.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data === 'string') this.#tell(JSON.parse(data) as Report);
      else this.#worker.postMessage({ kind: 'particles', bytes: new Uint8Array(data) }, [data]);
    };
    run.onclose = () =>
      this.#tell({
        kind: 'notice',
        text: 'The run is not reached any more: its command has ended.',
      });
    this.#run = run;
    return new Promise((resolve) => {
      run.onopen = () => {
        if (this.#look) this.#send(this.#look);
        resolve();
      };
    });
  }

  #send(message: Request | { readonly kind: 'drawn' }): void {
    if (this.#run?.readyState === WebSocket.OPEN) this.#run.send(JSON.stringify(message));
  }

  #tell(report: Report): void {
    for (const listener of this.#listeners.get(report.kind) ?? []) listener(report as never);
  }
}
