import { type Grid, simulationSchema } from '@corpuscle/core';
import { files } from '@corpuscle/core/files';
import { createRegistry } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import { Pace } from '@corpuscle/view';
import type { Report, Request, Texts } from '../session/messages.js';
import { mistakesOf } from '../session/mistakesOf.js';
import { readTables } from '../session/readTables.js';
import { Session } from '../session/Session.js';
import type { Contexts } from './Contexts.js';
import { type Recorded, Recorder } from './Recorder.js';
import { Stage } from './Stage.js';
import { Streamed } from './Streamed.js';
import { Trajectory } from './Trajectory.js';

/** Milliseconds between reports of where a run is, of its tables, and of what colors mean. */
const REPORT = 100;
const TABLES = 300;
const LEGEND = 1000;
/** The folder of output files. */
const OUTPUT = 'out';

/** Answers a page: runs, draws, and tells. Everything that computes is here, in a worker. */
export class Engine {
  readonly #tell: (report: Report, transfer?: Transferable[]) => void;
  readonly #contexts: Contexts;
  readonly #session: Session;
  #stage: Stage | null = null;
  /** Of the pictures of the run. */
  #pace = new Pace();
  #recorder: Recorder | null = null;
  #trajectory: Trajectory | null = null;
  /** The particles of a run elsewhere. */
  #streamed: Streamed | null = null;
  #particles = 0;
  #last = { step: 0, at: 0 };
  #tablesText = '';
  /** What was asked for last: where mistakes are. */
  #texts: Texts = { simulation: '', potential: '' };

  constructor(contexts: Contexts, tell: (report: Report, transfer?: Transferable[]) => void) {
    this.#contexts = contexts;
    contexts.beforeClose = async () => this.#stage?.clear();
    this.#tell = tell;
    this.#session = new Session({
      output: OUTPUT,
      openContext: async (simulation) => {
        const context = await this.#contexts.of(simulation);
        tell({
          kind: 'device',
          text: `${context.backend}, ${context.precision}: ${context.backendReason}`,
        });
        return context;
      },
      onPhase: (phase, error) => {
        if (error) this.#contexts.forget();
        this.#report();
        if (phase === 'running') this.#pace = new Pace();
        if (phase === 'ended' || phase === 'paused') {
          this.#stage?.refresh();
          if (phase === 'ended') void this.#guard(() => this.#endMovie());
          this.#tellTables();
        }
        tell({
          kind: 'phase',
          phase,
          ...(error !== undefined && { mistakes: mistakesOf(error, this.#texts) }),
        });
      },
      onParticles: (grid, context) => this.#show(grid, context),
      afterStep: () => this.#afterStep(),
      onNotice: (text) => tell({ kind: 'notice', text }),
    });
    tell({ kind: 'ready', schema: simulationSchema(createRegistry()) });
    setInterval(() => this.#session.phase === 'running' && this.#report(), REPORT);
    setInterval(() => this.#session.phase === 'running' && this.#tellTables(), TABLES);
    const isMoving = () => this.#session.phase === 'running' || this.#streamed !== null;
    setInterval(() => isMoving() && this.#tellLegend(), LEGEND);
  }

  /** Does what the page asks for. */
  async answer(request: Request): Promise<void> {
    switch (request.kind) {
      case 'canvas':
        return this.#openStage(request.canvas);
      case 'size':
        if (this.#stage) this.#stage.size = request;
        return;
      case 'check':
        return this.#check(request.texts, request.id);
      case 'preview':
        return this.#session.preview(request.texts);
      case 'run':
        return this.#guard(() => this.#begin(request.texts, request.held));
      case 'retune':
        return this.#guard(() => this.#session.retune(request.texts));
      case 'open':
        return this.#guard(() => this.#open(request.name, request.bytes));
      case 'keep':
        return files.write(request.name, request.bytes);
      case 'seek':
        return this.#guard(() => this.#seek(request.frame));
      case 'particles':
        return this.#showStreamed(request.bytes);
      case 'pause':
        return this.#session.pause();
      case 'stop':
        return this.#session.stop();
      case 'resume':
        return this.#session.resume(request.steps);
      case 'speed':
        this.#session.speed = request.stepsPerSecond;
        return;
      case 'camera':
        return this.#stage?.move(request.motion);
      case 'look':
        if (this.#stage) this.#stage.look = request.look;
        return this.#tellLegend();
      case 'pick':
        return this.#tell({
          kind: 'picked',
          text: (await this.#stage?.pick(request.x, request.y)) ?? null,
        });
      case 'picture':
        return this.#guard(async () =>
          this.#save((await this.#recorder?.picture(request)) ?? null),
        );
      case 'movie':
        return this.#guard(() => this.#beginMovie(request));
      case 'movie end':
        return this.#guard(() => this.#endMovie());
      case 'file':
        return this.#tell({ kind: 'file', name: request.name, bytes: files.read(request.name) });
    }
  }

  #afterStep(): Promise<void> | undefined {
    const draw = () => this.#pace.atStep(async () => (await this.#stage?.picture()) ?? null);
    const recorded = this.#recorder?.atStep();
    return recorded ? recorded.then(draw) : draw();
  }

  #openStage(canvas: OffscreenCanvas): void {
    const stepNow = () => this.#streamed?.step ?? this.#session.progress.step;
    this.#stage = new Stage(canvas, stepNow, (pictures, step) => {
      const at = performance.timeOrigin + performance.now();
      this.#tell({ kind: 'drawn', pictures, step, at });
    });
    this.#recorder = new Recorder(this.#stage);
  }

  /** Of a trajectory the whole movie is made at once. */
  async #beginMovie({ every, ...size }: Extract<Request, { kind: 'movie' }>): Promise<void> {
    await this.#recorder?.begin(size, every);
    this.#tell({ kind: 'recording', isRecording: true });
    if (this.#trajectory) void this.#guard(() => this.#playInto(this.#recorder!));
  }

  async #playInto(recorder: Recorder): Promise<void> {
    for (let frame = 0; frame < (this.#trajectory?.length ?? 0) && recorder.isRecording; frame++) {
      await this.#seek(frame);
      await recorder.add();
    }
    await this.#endMovie();
  }

  async #endMovie(): Promise<void> {
    try {
      this.#save((await this.#recorder?.end()) ?? null);
    } finally {
      this.#tell({ kind: 'recording', isRecording: false });
    }
  }

  #save(recorded: Recorded | null): void {
    if (recorded) this.#tell({ kind: 'file', ...recorded }, [recorded.bytes.buffer]);
  }

  /** A run takes the place of a trajectory. */
  async #begin(texts: Texts, held: boolean): Promise<void> {
    this.#texts = texts;
    await this.#session.start(texts, { held });
    this.#trajectory = null;
  }

  async #open(name: string, bytes: Uint8Array): Promise<void> {
    files.write(name, bytes);
    await this.#session.stop();
    const context = await this.#contexts.of({ configuration: { backend: 'webgpu' } });
    this.#trajectory = new Trajectory(name, context);
    const notes: string[] = [];
    const frames = await this.#trajectory.read((note) => notes.push(note));
    this.#tell({ kind: 'trajectory', name, frames });
    for (const text of notes) this.#tell({ kind: 'notice', text });
    await this.#seek(0);
  }

  async #seek(frame: number): Promise<void> {
    if (!this.#trajectory) return;
    const { grid, context, text, bonds } = this.#trajectory.at(frame);
    await this.#stage?.show(grid, context, { bonds });
    this.#tell({ kind: 'frame', frame, particles: grid.count, text });
  }

  /** Shows a frame of a run elsewhere, and asks for the next when it is drawn. */
  async #showStreamed(bytes: Uint8Array): Promise<void> {
    const context = await this.#contexts.of({ configuration: {} });
    if (!this.#streamed?.isOf(context)) this.#streamed = new Streamed(context);
    await this.#show(this.#streamed.take(bytes), context, { isStreamed: true });
    const asked = await this.#stage?.picture();
    await asked?.done;
    await this.#recorder?.add();
    this.#tell({ kind: 'drawn elsewhere' });
  }

  #check(texts: Texts, id: number): void {
    this.#texts = texts;
    try {
      const { warnings } = this.#session.load(texts);
      const mistakes = warnings.map(({ message, location: { line, column } }) => ({
        ...{ text: 'simulation' as const, message, line, column },
        ...{ length: 0, severity: 'warning' as const },
      }));
      this.#tell({ kind: 'checked', id, mistakes });
    } catch (error) {
      this.#tell({ kind: 'checked', id, mistakes: mistakesOf(error, this.#texts) });
    }
  }

  async #guard(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#tell({
        kind: 'phase',
        phase: this.#session.phase,
        mistakes: mistakesOf(error, this.#texts),
      });
    }
  }

  async #show(
    grid: Grid,
    context: ExecutionContext,
    options?: { readonly isStreamed: boolean },
  ): Promise<void> {
    this.#particles = grid.count;
    const drawing = context.device ? context : await this.#contexts.drawing();
    if (drawing) await this.#stage?.show(grid, drawing, options);
    else
      this.#tell({ kind: 'notice', text: 'Particles are not drawn: this browser has no WebGPU.' });
  }

  /** A run that fails tells it itself. */
  async #tellLegend(): Promise<void> {
    const scale = await this.#stage?.legend().catch(() => null);
    this.#tell({ kind: 'legend', scale: scale ?? null });
  }

  #report(): void {
    const { step, time, endStep } = this.#session.progress;
    const now = performance.now();
    const seconds = (now - this.#last.at) / 1000;
    const stepsPerSecond = Math.max(0, step - this.#last.step) / seconds;
    this.#last = { step, at: now };
    this.#tell({
      kind: 'progress',
      ...{ step, time, stepsPerSecond },
      endStep: endStep ?? null,
      particles: this.#particles,
    });
  }

  #tellTables(): void {
    const names = files.list().filter((name) => !/(^|\/)\./.test(name));
    const tables = readTables(names.filter((name) => name.startsWith(`${OUTPUT}/`)));
    const text = JSON.stringify([names, tables.map(({ name, data }) => [name, data[0]!.length])]);
    if (text === this.#tablesText) return;
    this.#tablesText = text;
    this.#tell({ kind: 'tables', tables, files: names });
  }
}
