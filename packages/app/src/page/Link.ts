import type { Report, Request, Table } from '../session/messages.js';

type Listener<K extends Report['kind']> = (report: Extract<Report, { kind: K }>) => void;

/** Milliseconds between two looks at the engine, and looks without a beat of it after which it is told of. */
const EVERY = 500;
const LOOKS = 8;

/** What a run elsewhere is asked for; the worker of the page does everything else. */
const elsewhere: readonly Request['kind'][] = ['run', 'retune', 'pause', 'resume', 'stop', 'speed'];

/**
 * The way to the engine and back. With `corpuscle view --run` the run is elsewhere, and the engine draws what is sent from there:
 *
 *   page ── run, pause, … ──► WebSocket ── reports ──► page
 *                                 └── frames ──► worker ── drawn ──► WebSocket
 *
 * The engine beats while its thread is free. Work that has no end, such as a loop of a potential, is told of, and `renew` ends it.
 */
export class Link {
  #worker = this.#openWorker();
  readonly #listeners = new Map<string, ((report: never) => void)[]>();
  #run: WebSocket | null = null;
  #look: Request | null = null;
  #tables: readonly Table[] = [];
  /** Looks since the last beat; null before the first. */
  #looks: number | null = null;

  constructor() {
    setInterval(() => {
      if (this.#looks !== null && ++this.#looks === LOOKS) this.#tell({ kind: 'silent' });
    }, EVERY);
  }

  /** Whether the engine works on one piece for long. */
  get isSilent(): boolean {
    return (this.#looks ?? 0) >= LOOKS;
  }

  /** Whether the run is that of a command. */
  get isElsewhere(): boolean {
    return this.#run !== null;
  }

  /** Ends the engine in whatever work it is, with its files, and begins with another. */
  renew(): void {
    this.#worker.terminate();
    this.#looks = null;
    this.#worker = this.#openWorker();
    this.#tell({ kind: 'renewed' });
    if (this.#look) this.#worker.postMessage(this.#look);
    this.#send({ kind: 'drawn' }); // a run elsewhere waits for it
    this.#tell({ kind: 'tables', tables: this.#tables, files: [] }); // what is plotted stays
    const message =
      'The engine was ended, and files that were not saved are gone: a loop of the potential has no end, or the system is too large for this page.';
    const nowhere = { line: 0, column: 0, length: 0, severity: 'error' } as const;
    const mistakes = [{ ...nowhere, text: 'simulation', message } as const];
    this.#tell({ kind: 'phase', phase: 'ended', mistakes });
  }

  #openWorker(): Worker {
    // Bundlers know a worker by this very expression.
    const worker = new Worker(new URL('../worker/worker.ts', import.meta.url), {
      type: 'module',
      name: 'engine',
    });
    worker.onmessage = ({ data }: MessageEvent<Report>) => {
      if (data.kind === 'drawn elsewhere') this.#send({ kind: 'drawn' });
      else if (data.kind === 'beat') this.#hear();
      else this.#tell(data);
      if (data.kind === 'tables') this.#tables = data.tables;
    };
    worker.onerror = ({ message }) =>
      this.#tell({
        kind: 'notice',
        text: `The engine failed: ${message || 'it could not be loaded'}.`,
      });
    return worker;
  }

  #hear(): void {
    const wasSilent = this.isSilent;
    this.#looks = 0;
    if (wasSilent) this.#tell({ kind: 'awake' });
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
