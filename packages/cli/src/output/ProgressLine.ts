import type { Streams } from '../Streams.js';

const INTERVAL = 200; // ms between updates: calm to look at, and no cost

export interface ProgressState {
  readonly step: number;
  readonly endStep?: number;
}

/** One line at the bottom of a terminal: step, steps/s, time left. Prints nothing where there is no terminal. */
export class ProgressLine {
  #streams: Streams;
  #enabled: boolean;
  #started = 0;
  #firstStep = 0;
  #last = 0;
  #shown = false;

  constructor(streams: Streams, enabled: boolean) {
    this.#streams = streams;
    this.#enabled = enabled && streams.terminal;
  }

  /** Whether the output is a terminal: otherwise there is nothing to update. */
  get isWatched(): boolean {
    return this.#enabled;
  }

  update({ step, endStep }: ProgressState): void {
    if (!this.#enabled) return;
    const now = performance.now();
    if (this.#started === 0) {
      this.#started = now;
      this.#firstStep = step;
      return;
    }
    if (now - this.#last < INTERVAL) return;
    this.#last = now;
    const rate = ((step - this.#firstStep) / (now - this.#started)) * 1000;
    const parts = [endStep === undefined ? `step ${step}` : `step ${step} of ${endStep}`];
    if (rate > 0) {
      parts.push(`${rate >= 10 ? rate.toFixed(0) : rate.toPrecision(2)} steps/s`);
      if (endStep !== undefined) parts.push(`${duration((endStep - step) / rate)} left`);
    }
    const width = (this.#streams.columns || 80) - 1; // some terminals say 0
    this.#streams.err(`\r\x1b[K${parts.join(' · ').slice(0, width)}`);
    this.#shown = true;
  }

  /** Makes room for other output. */
  clear(): void {
    if (this.#shown) this.#streams.err('\r\x1b[K');
    this.#shown = false;
  }
}

/** 5 s, 2:05 min, 1:02:05 h. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}
