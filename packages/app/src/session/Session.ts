import {
  type Grid,
  loadSimulation,
  type OperatorContext,
  type Progress,
  type Registry,
  type RunCheckpoint,
  runCheckpoint,
  runSimulation,
  type Simulation,
} from '@corpuscle/core';
import { gridKey } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import type { Texts } from './messages.js';
import { pageRegistry } from './pageRegistry.js';
import { pluginsLeftOut, withMistakes } from './pluginsLeftOut.js';
import { Steering } from './Steering.js';

/** Where a session is: nothing has run, operators set up, steps are made, the run waits, or it is over. */
export type Phase = 'empty' | 'starting' | 'running' | 'paused' | 'ended';

/** What a session needs, and whom it tells. */
export interface SessionOptions {
  /** The folder of output files. */
  readonly output: string;
  /** What becomes of files that are there. Default 'replace'. */
  readonly older?: 'keep' | 'replace';
  /** The file that texts are of: other files are found from there. Default one of the page. */
  readonly file?: string;
  /** Values that are set from outside, `path=value`. */
  readonly set?: readonly string[];
  /** Operators beside those that are typed in, anew each time. Default all that come along. */
  operators?(): Registry;
  /** The context that a simulation runs in. The session closes none. */
  openContext(simulation: Simulation): Promise<ExecutionContext>;
  /** Told when the phase changes; `error` is why a run has ended early. */
  onPhase(phase: Phase, error?: unknown): void;
  /** Told the particles of a run when they are there, and again when they are others; those before are freed after it. */
  onParticles(grid: Grid, context: ExecutionContext): Promise<void>;
  /** Called after each step, which draws pictures; the run waits for its promise. */
  afterStep?(): Promise<void> | undefined;
  /** Sentences about the run. */
  onNotice?(text: string): void;
}

/** A folder that is not seen: setting up writes nothing that anybody wants. */
const BEGINNING = '.beginning';

/** A run that is under way. */
interface Run {
  readonly steering: Steering;
  readonly context: ExecutionContext;
}

/**
 * One simulation at a time, from the text of an editor. It knows no page.
 *
 *   empty ── start ──► starting ──► running ⇄ paused ──► ended ── start ──► …
 *                                      │  ▲
 *                       retune: saved  ▼  │  goes on with other numbers
 */
export class Session {
  /** Where the run is. */
  progress: Progress = { step: 0, time: 0 };
  /** The step and the time that particles are of, also where a run waits. */
  moment: Progress = { step: 0, time: 0 };
  #phase: Phase = 'empty';
  #speed = Number.POSITIVE_INFINITY;
  readonly #options: SessionOptions;
  #steering: Steering | null = null;
  #done: Promise<void> = Promise.resolve();
  #run: Run | null = null;
  #grid: Grid | null = null;
  /** What the run goes on with, and from where. */
  #next: Simulation | null = null;
  #saved: RunCheckpoint | null = null;
  #operators: { readonly potential: string; readonly registry: Registry } | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Reads a text and runs nothing. @throws CorpuscleError with all mistakes at their places */
  load({ simulation: text, potential }: Texts, set: readonly string[] = []): Simulation {
    const operators = this.#registryWith(potential);
    const { file: name = 'simulation.yaml', set: given = [] } = this.#options;
    const document = { name, text };
    // Who gives the operators has asked for those of plugins.
    const left = this.#options.operators ? [] : pluginsLeftOut(document);
    const simulation = withMistakes(left, () =>
      loadSimulation([document], { operators, set: [...given, ...set] }),
    );
    const { matrix = [], warnings: found } = simulation;
    const warnings = [
      ...found,
      ...left.map(({ message, location }) => ({ message, location: location! })),
    ];
    if (matrix.length < 2) return { ...simulation, warnings };
    const row = text.split('\n').findIndex((line) => /^\W?matrix\W*:/.test(line)) + 1;
    const message = `the matrix stands for ${matrix.length} simulations, of which the first runs here: corpuscle run makes all of them`;
    const location = { file: name, line: row, column: Math.min(1, row) };
    return { ...simulation, warnings: [...warnings, { message, location }] };
  }

  /** The operators with those of typed-in potentials, which are kept until these change. */
  #registryWith(potential: string): Registry {
    if (this.#operators?.potential !== potential)
      this.#operators = {
        potential,
        registry: pageRegistry(
          (context) => this.#atStep(context),
          potential,
          this.#options.operators?.(),
        ),
      };
    return this.#operators.registry;
  }

  /**
   * Begins to show the particles with which a text begins, unless something runs: its batch `setup_system` alone. Texts with
   * mistakes show nothing; where others do, `onNotice` tells why.
   */
  async preview(texts: Texts): Promise<void> {
    if (this.#phase !== 'empty' && this.#phase !== 'ended') return;
    const simulation = this.#beginningOf(texts);
    if (!simulation) return;
    await this.stop();
    const steering = new Steering(() => {});
    this.#steering = steering;
    this.#done = this.#setUp(simulation, steering);
  }

  #beginningOf(texts: Texts): Simulation | null {
    try {
      this.load(texts);
    } catch {
      return null; // the check of the text tells of mistakes
    }
    try {
      return this.load(texts, ['simulation=[setup_system, page_control]']);
    } catch {
      this.#options.onNotice?.(
        'Particles are seen when the run begins: the text has no setup_system to show before.',
      );
      return null;
    }
  }

  async #setUp(simulation: Simulation, steering: Steering): Promise<void> {
    try {
      const context = await this.#options.openContext(simulation);
      this.#run = { steering, context };
      const outputDirectory = BEGINNING;
      await runSimulation(simulation, { context, outputDirectory, signal: steering });
    } catch (error) {
      const { message } = error as Error;
      this.#options.onNotice?.(`The particles of the beginning cannot be shown: ${message}`);
    } finally {
      this.#steering = this.#run = null;
    }
  }

  /**
   * Ends what runs, and runs a text.
   * @param held whether the run waits after its first forces.
   * @throws CorpuscleError where the text has mistakes; what happens later is told by `onPhase`.
   */
  async start(texts: Texts, { held = false } = {}): Promise<void> {
    const simulation = this.load(texts);
    await this.stop();
    const steering = new Steering((isHeld) => this.#enter(isHeld ? 'paused' : 'running'), { held });
    steering.speed = this.#speed;
    this.progress = { step: 0, time: 0 };
    this.#steering = steering;
    this.#enter('starting');
    this.#done = this.#work(simulation, steering);
  }

  /** Ends the run after the step it is in. */
  async stop(): Promise<void> {
    this.#next = null;
    this.#steering?.end();
    await this.#done;
  }

  /** Holds the run after the step it is in. */
  pause(): void {
    this.#steering?.hold();
  }

  /** A run that is held goes on, for so many steps. Default: all. */
  resume(steps?: number): void {
    this.#steering?.advance(steps);
  }

  /** Steps a second at most. */
  set speed(stepsPerSecond: number) {
    this.#speed = stepsPerSecond;
    if (this.#steering) this.#steering.speed = stepsPerSecond;
  }

  /**
   * Goes on with other numbers from where the run is: a text with the same operators. Where nothing runs it does nothing.
   * @throws CorpuscleError where the text has mistakes; the run goes on as it was.
   */
  retune(texts: Texts): void {
    const simulation = this.load(texts);
    if (this.#phase !== 'running' && this.#phase !== 'paused') return;
    this.#next = simulation;
    this.#steering?.nudge();
  }

  #enter(phase: Phase, error?: unknown): void {
    this.#phase = phase;
    this.#options.onPhase(phase, error);
  }

  async #work(simulation: Simulation, steering: Steering): Promise<void> {
    try {
      const context = await this.#options.openContext(simulation);
      this.#run = { steering, context };
      for (let [present, restart] = [simulation, null as RunCheckpoint | null]; present; ) {
        this.#saved = null;
        await runSimulation(present, {
          context,
          outputDirectory: this.#options.output,
          older: this.#options.older ?? 'replace',
          restart,
          signal: steering,
          onProgress: (progress) => {
            this.progress = progress;
          },
          onNotice: this.#options.onNotice,
        });
        if (!this.#saved || !this.#next) break;
        [present, restart] = [this.#next, this.#saved];
        this.#next = null;
        steering.aborted = false;
      }
      this.#enter('ended');
    } catch (error) {
      this.#enter('ended', error);
    } finally {
      this.#steering = this.#run = this.#next = null;
    }
  }

  #atStep(context: OperatorContext): void | Promise<void> {
    const run = this.#run!;
    const { step, time } = context.state;
    this.moment = { step, time };
    const grid = context.state.find(gridKey);
    if (grid && grid !== this.#grid) {
      context.state.keepMemory(); // they are shown when the run has ended or failed
      return this.#show(grid, run).then(() => this.#atStep(context));
    }
    const { steering } = run;
    if (context.isLooping()) {
      if (this.#phase === 'starting') this.#enter('running');
      if (this.#next && !steering.aborted) return this.#save(context, steering);
    }
    const waiting = steering.atStep();
    if (waiting) return waiting.then(() => this.#atStep(context));
    return context.isLooping() ? this.#options.afterStep?.() : undefined;
  }

  async #show(grid: Grid, { context }: Run): Promise<void> {
    const before = this.#grid;
    this.#grid = grid;
    await this.#options.onParticles(grid, context);
    if (before && !context.closed) before.free();
  }

  /** Saves the run, and ends it: it goes on with other numbers. */
  async #save({ state, saveRun }: OperatorContext, steering: Steering): Promise<void> {
    const run = await saveRun();
    await state.output.flush();
    this.#saved = runCheckpoint(state.simulation, state.output.positions(), run);
    state.renewCalls();
    steering.aborted = true;
  }
}
