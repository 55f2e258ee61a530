import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { mistakesOf, type Report, type Request, Session, type Table } from '@corpuscle/app/session';
import type { Grid, Registry, Simulation } from '@corpuscle/core';
import { FrameStream } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import type { WebSocket } from 'ws';
import { TableTail } from './TableTail.js';

/** Milliseconds between reports of where the run is, and of its tables. */
const REPORT = 100;
const TABLES = 500;
/** Mistakes are in the simulation: potentials are not typed in here. */
const NO_TEXTS = { simulation: '', potential: '' };

/** What a viewed run is made with. */
export interface ViewedRunOptions {
  /** The simulation. */
  readonly file: string;
  readonly set: readonly string[];
  readonly output: string;
  readonly older: 'keep' | 'replace';
  readonly operators: Registry;
  openContext(simulation: Simulation): Promise<ExecutionContext>;
  readonly onNotice: (text: string) => void;
}

/** A page that looks. */
interface Viewer {
  readonly socket: WebSocket;
  /** Told when it has drawn the frame that it was sent; null where it waits for one. */
  onDrawn: (() => void) | null;
}

/**
 * A run in this process, and the pages that look at it. They are sent what the worker of a page tells, as JSON, and frames as
 * bytes (`readQuantized`); they ask for what that worker is asked. A frame is taken when all have drawn the one before.
 */
export class ViewedRun {
  readonly #options: ViewedRunOptions;
  readonly #session: Session;
  readonly #viewers = new Set<Viewer>();
  readonly #timers: NodeJS.Timeout[];
  readonly #tails = new Map<string, TableTail>();
  readonly #begun = Date.now();
  #context: Promise<ExecutionContext> | null = null;
  #particles: { readonly grid: Grid; readonly context: ExecutionContext } | null = null;
  #species: readonly string[] = [];
  #stream: FrameStream;
  #frame: Uint8Array | null = null;
  #offered = -1;
  #last = { step: 0, at: 0 };
  /** What a page that comes later is told, by kind. */
  readonly #told = new Map<string, Report>();
  /** Resolves when the run has ended for the first time; its error is told. */
  readonly ended: Promise<unknown>;

  constructor(options: ViewedRunOptions) {
    this.#options = options;
    this.#stream = new FrameStream({ send: (bytes) => this.#send(bytes) });
    let end: (error: unknown) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#session = new Session({
      output: options.output,
      older: options.older,
      file: options.file,
      set: options.set,
      operators: () => options.operators,
      openContext: (simulation) => this.#open(simulation),
      onPhase: (phase, error) => {
        const mistakes = error === undefined ? {} : { mistakes: mistakesOf(error, NO_TEXTS) };
        this.#report();
        if (phase === 'ended') this.#tellTables();
        this.#tell({ kind: 'phase', phase, ...mistakes });
        if (phase === 'ended') end(error);
      },
      onParticles: async (grid, context) => {
        this.#particles = { grid, context };
      },
      afterStep: () => {
        this.#offer();
        return undefined;
      },
      onNotice: (text) => {
        options.onNotice(text);
        this.#tell({ kind: 'notice', text });
      },
    });
    const look = () => {
      this.#report();
      // The last step of a run that waits, or is over, is shown too.
      if (this.#session.phase !== 'running' && this.#session.moment.step !== this.#offered)
        this.#offer();
    };
    this.#timers = [setInterval(look, REPORT), setInterval(() => this.#tellTables(), TABLES)];
  }

  /** Frames that were taken, and steps at which none was. */
  get counts(): { readonly taken: number; readonly passed: number; readonly step: number } {
    const { taken, passed } = this.#stream;
    return { taken, passed, step: this.#session.progress.step };
  }

  /** Begins. @throws CorpuscleError where the text has mistakes */
  async start(): Promise<void> {
    const simulation = readFileSync(this.#options.file, 'utf8');
    await this.#session.start({ simulation, potential: '' });
  }

  /** Ends the run after the step it is in. */
  stop(): Promise<void> {
    return this.#session.stop();
  }

  /** Takes a page in. */
  join(socket: WebSocket): void {
    const viewer: Viewer = { socket, onDrawn: null };
    this.#viewers.add(viewer);
    for (const report of this.#told.values()) socket.send(JSON.stringify(report));
    if (this.#frame) socket.send(this.#frame);
    socket.on('message', (data) => {
      this.#answer(viewer, JSON.parse(String(data)) as Request | { kind: 'drawn' }).catch(
        (error: unknown) =>
          socket.send(
            JSON.stringify({
              kind: 'phase',
              phase: this.#session.phase,
              mistakes: mistakesOf(error, NO_TEXTS),
            } satisfies Report),
          ),
      );
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.#viewers.delete(viewer);
      viewer.onDrawn?.();
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#session.stop();
    for (const { socket } of this.#viewers) socket.close();
    await this.#stream.close();
    await (await this.#context?.catch(() => null))?.close();
  }

  async #answer(viewer: Viewer, request: Request | { kind: 'drawn' }): Promise<void> {
    switch (request.kind) {
      case 'drawn':
        viewer.onDrawn?.();
        viewer.onDrawn = null;
        return;
      case 'run':
        return this.#session.start(textsOf(request), { held: request.held });
      case 'retune':
        return this.#session.retune(textsOf(request));
      case 'pause':
        return this.#session.pause();
      case 'resume':
        return this.#session.resume(request.steps);
      case 'stop':
        return this.#session.stop();
      case 'speed':
        this.#session.speed = request.stepsPerSecond ?? Number.POSITIVE_INFINITY;
        return;
      case 'look':
        this.#stream.field = request.look.color;
        this.#offered = -1;
        return;
      default:
        return; // the page does everything else itself
    }
  }

  /** One context serves all runs. */
  async #open(simulation: Simulation): Promise<ExecutionContext> {
    this.#context ??= this.#options.openContext(simulation);
    this.#species = simulation.particleTypes.names;
    const context = await this.#context;
    const { backend, precision, backendReason } = context;
    this.#tell({
      kind: 'device',
      text: `on the server: ${backend}, ${precision}: ${backendReason}`,
    });
    return context;
  }

  #offer(): void {
    if (!this.#particles || this.#viewers.size === 0) return;
    const { grid, context } = this.#particles;
    if (context.closed) return;
    const { step, time } = this.#session.moment;
    if (this.#stream.offer(grid, context, { step, time, species: this.#species }))
      this.#offered = step;
  }

  /** Sends a frame to all pages; resolves when all have drawn it. */
  async #send(bytes: Uint8Array): Promise<void> {
    this.#frame = bytes;
    const drawn = [...this.#viewers].map(
      (viewer) =>
        new Promise<void>((resolve) => {
          viewer.onDrawn = resolve;
          viewer.socket.send(bytes);
        }),
    );
    await Promise.all(drawn);
  }

  #tell(report: Report): void {
    this.#told.set(report.kind, report);
    const text = JSON.stringify(report);
    for (const { socket } of this.#viewers) socket.send(text);
  }

  #report(): void {
    const { step, time, endStep } = this.#session.progress;
    const now = performance.now();
    if (step === this.#last.step && this.#session.phase !== 'running') return;
    const stepsPerSecond = Math.max(0, step - this.#last.step) / ((now - this.#last.at) / 1000);
    this.#last = { step, at: now };
    const particles = this.#particles?.grid.count ?? 0;
    this.#tell({
      kind: 'progress',
      ...{ step, time, stepsPerSecond, particles, endStep: endStep ?? null },
    });
  }

  /** Tables in the output folder to which this run has written. */
  #tellTables(): void {
    const { output } = this.#options;
    let isNew = false;
    for (const name of csvFiles(output)) {
      const file = path.join(output, name);
      if (!this.#tails.has(name) && statSync(file).mtimeMs < this.#begun) continue;
      const tail = this.#tails.get(name) ?? new TableTail(file, name);
      this.#tails.set(name, tail);
      isNew = tail.update() || isNew;
    }
    if (!isNew) return;
    const tables = [...this.#tails.values()].flatMap(({ table }): Table[] =>
      table ? [table] : [],
    );
    this.#tell({ kind: 'tables', tables, files: [] });
  }
}

function csvFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.csv'));
  } catch {
    return []; // the run has not made it yet
  }
}

/** A page may change the simulation; code that is typed into it runs in the page alone. */
function textsOf({ texts }: Extract<Request, { kind: 'run' | 'retune' }>) {
  if (texts.potential.trim() === '') return texts;
  throw new Error(
    'potentials that are typed in run in the page alone: put them into a module, and give that to corpuscle view with --import',
  );
}
