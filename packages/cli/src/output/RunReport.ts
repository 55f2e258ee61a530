import type { CorpuscleError, Progress, Simulation, SimulationWarning } from '@corpuscle/core';
import type { Streams } from '../Streams.js';
import { BottomLines } from './BottomLines.js';
import { formatWarning } from './formatError.js';
import { lineOf, type RunEvent, RunLog } from './RunLog.js';
import { formatSpeed, type Speed, SpeedMeter } from './SpeedMeter.js';
import { TableReader } from './TableReader.js';
import { terminalPlot } from './terminalPlot.js';

/** Milliseconds between updates of a terminal: calm to look at, and no cost. */
const INTERVAL = 200;
/** Seconds between lines of progress in a log that is told nothing else. */
const LOG_EVERY = 10;
/** Lines of a plot in the terminal. */
const PLOT_HEIGHT = 12;

/** What a run tells, and where: options of `run`. */
export interface ReportOptions {
  readonly progress: boolean;
  readonly quiet: boolean;
  readonly json?: boolean;
  readonly log?: string;
  readonly logEvery?: number;
  readonly plot?: string;
}

/**
 * What a run tells while it runs:
 *
 *   tables, messages ─▶ standard output      not with --quiet; with --plot a curve takes the place of rows
 *   notices, warnings ─▶ standard error      with --quiet warnings alone
 *   progress ─▶ the bottom of a terminal; with --log-every plain lines
 *   all of it ─▶ --log, in lines of JSON; with --json these are standard output, and nothing else is
 */
export class RunReport {
  readonly #streams: Streams;
  readonly #options: ReportOptions;
  readonly #speedMeter: SpeedMeter;
  readonly #bottom: BottomLines;
  readonly #log: RunLog | null;
  readonly #table = new TableReader();
  readonly #drawn: { x: number[]; y: number[] } = { x: [], y: [] };
  readonly #terminalEvery: number;
  readonly #lineEvery: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #saidAt = Number.NEGATIVE_INFINITY;

  /** @throws CorpuscleError UNWRITABLE for a log that cannot be written. */
  constructor(streams: Streams, options: ReportOptions, { configuration, files }: Simulation) {
    this.#streams = streams;
    this.#options = options;
    this.#speedMeter = new SpeedMeter(configuration.units);
    this.#bottom = new BottomLines(streams);
    this.#log = options.log === undefined ? null : new RunLog(options.log, this.warnOfFile);
    const isShown = streams.terminal && options.progress && !this.#isSilent;
    this.#terminalEvery = isShown ? INTERVAL : Number.POSITIVE_INFINITY;
    // Lines of JSON are told progress only where they are asked to be.
    const seconds = options.logEvery ?? (this.#log ? LOG_EVERY : Number.POSITIVE_INFINITY);
    this.#lineEvery = 1000 * seconds;
    this.#event({
      event: 'start',
      files,
      units: configuration.units.name,
      seed: configuration.seed,
    });
  }

  /** Warns of the log or the trace, which take no more. */
  readonly warnOfFile = (text: string): void => this.#streams.err(`warning: ${text}\n`);

  /** Whether progress is shown or logged; otherwise nothing is updated. */
  get isWatched(): boolean {
    return Math.min(this.#terminalEvery, this.#lineEvery) < Number.POSITIVE_INFINITY;
  }

  /** Where the run is. Cheap: it is told every step. */
  update(progress: Progress): void {
    const now = performance.now();
    const isDrawn = now - this.#drawnAt >= this.#terminalEvery;
    const isSaid = now - this.#saidAt >= this.#lineEvery;
    if (!isDrawn && !isSaid) return;
    const speed = this.#speedMeter.at(progress, now);
    if (isDrawn) this.#drawnAt = now;
    if (isSaid) this.#saidAt = now;
    if (!speed) return;
    if (isDrawn) this.#bottom.draw([...this.#curve(), formatSpeed(speed)]);
    if (isSaid) this.#say(speed);
  }

  #say(speed: Speed): void {
    this.#event({ event: 'progress', ...speed });
    if (this.#options.logEvery === undefined || this.#isSilent) return;
    this.clear();
    this.#streams.err(`${formatSpeed(speed)}\n`);
  }

  /** Lines of operators: rows of the thermo table, results. */
  readonly message = (text: string): void => {
    const { plot } = this.#options;
    const row = this.#table.read(text);
    if (row === null) this.#event({ event: 'message', text });
    else if (row !== 'head') this.#note(row);
    if (this.#isSilent || (plot !== undefined && row)) return;
    this.clear();
    this.#streams.out(`${text}\n`);
  };

  #note(row: Readonly<Record<string, number>>): void {
    this.#event({ event: 'row', ...row });
    const { step, time = step } = row;
    const value = row[this.#options.plot ?? ''];
    if (value === undefined) return;
    this.#drawn.x.push(time!);
    this.#drawn.y.push(value);
  }

  /** Sentences about the run itself. */
  readonly notice = (text: string): void => {
    this.#event({ event: 'notice', text });
    if (this.#isSilent) return;
    this.clear();
    this.#streams.err(`${text}\n`);
  };

  warn(warning: SimulationWarning): void {
    this.#event({ event: 'warning', text: warning.message, ...placeOf(warning) });
    if (this.#options.json) return;
    this.#streams.err(formatWarning(warning, this.#streams));
  }

  /** Notes the error that ends the run, or an attempt at it; the command prints it. */
  failed(error: unknown): void {
    const { code, message } = error as CorpuscleError;
    this.#event({ event: 'error', code, text: message, ...placeOf(error as CorpuscleError) });
  }

  /** The last curve, and the summary. */
  summary(text: string, event: Omit<RunEvent, 'event'>): void {
    this.clear();
    this.#event({ event: 'end', ...event });
    if (this.#isSilent) return;
    this.#streams.out(
      this.#curve()
        .map((line) => `${line}\n`)
        .join('') + text,
    );
  }

  /** Makes room for other output. */
  clear(): void {
    this.#bottom.clear();
  }

  close(): void {
    this.clear();
    this.#log?.close();
  }

  #event(event: RunEvent): void {
    this.#log?.write(event);
    if (this.#options.json) this.#streams.out(`${lineOf(event)}\n`);
  }

  /** Whether no text is shown but warnings. */
  get #isSilent(): boolean {
    return this.#options.quiet || this.#options.json === true;
  }

  /** What `--plot` has seen so far. */
  #curve(): string[] {
    const { plot } = this.#options;
    if (plot === undefined || this.#drawn.x.length === 0) return [];
    const width = Math.min((this.#streams.columns || 80) - 1, 100);
    return terminalPlot({ title: `${plot} over time`, ...this.#drawn, width, height: PLOT_HEIGHT });
  }
}

function placeOf({ location }: Pick<CorpuscleError, 'location'>): object {
  if (!location) return {};
  const { file, line, column } = location;
  return { file, line, column };
}
