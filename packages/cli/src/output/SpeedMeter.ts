import { dimensions, type Progress, type UnitSystem } from '@corpuscle/core';

/** How fast a run goes, and how long it still takes. */
export interface Speed {
  readonly step: number;
  /** Simulated time, in units of the file. */
  readonly time: number;
  readonly endStep: number | undefined;
  readonly stepsPerSecond: number;
  /** Simulated time per day of wall time: nanoseconds, in reduced units τ. */
  readonly timePerDay: number;
  readonly timeUnit: 'ns' | 'τ';
  readonly secondsLeft: number | undefined;
}

/** Measures the speed of a run from the first step that it is told. */
export class SpeedMeter {
  readonly #units: UnitSystem;
  #first: Progress | null = null;
  #began = 0;

  constructor(units: UnitSystem) {
    this.#units = units;
  }

  /** @returns null at the first step, before there is a speed. */
  at(progress: Progress, now: number): Speed | null {
    if (!this.#first) {
      this.#first = progress;
      this.#began = now;
      return null;
    }
    const units = this.#units;
    const { step, time, endStep } = progress;
    const seconds = (now - this.#began) / 1000;
    const stepsPerSecond = (step - this.#first.step) / seconds;
    const isMoving = stepsPerSecond > 0;
    return {
      step,
      time: units.fromInternal(time, dimensions.time),
      endStep,
      stepsPerSecond,
      ...perDay(units, time - this.#first.time, seconds),
      secondsLeft:
        endStep === undefined || !isMoving ? undefined : (endStep - step) / stepsPerSecond,
    };
  }
}

/** Simulated time per day of wall time. @param time in internal units, which took so many seconds */
export function perDay(units: UnitSystem, time: number, seconds: number) {
  const unit = units.isReduced ? 1 : units.parse('1 ns', dimensions.time);
  const timeUnit: Speed['timeUnit'] = units.isReduced ? 'τ' : 'ns';
  return { timePerDay: (time / unit / seconds) * 86_400, timeUnit };
}

/** `step 100 of 1000 · 50 steps/s · 21.6 ns/day · 18 s left`. */
export function formatSpeed(speed: Speed): string {
  const { step, endStep, stepsPerSecond, timePerDay, timeUnit, secondsLeft } = speed;
  const parts = [endStep === undefined ? `step ${step}` : `step ${step} of ${endStep}`];
  if (stepsPerSecond > 0) parts.push(`${rate(stepsPerSecond)} steps/s`);
  if (timePerDay > 0) parts.push(`${rate(timePerDay)} ${timeUnit}/day`);
  if (secondsLeft !== undefined) parts.push(`${duration(secondsLeft)} left`);
  return parts.join(' · ');
}

/** A rate in as many digits as one cares for. */
export function rate(value: number): string {
  if (value >= 1e7) return value.toExponential(2).replace('e+', 'e');
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 3 : 2);
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
