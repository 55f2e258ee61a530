import { RandomSource } from '../../packages/functor/test/support/RandomSource.js';

/** How often runs are killed. */
export interface Soak {
  readonly kills: number;
  /** Runs at the same time. Default: 1. */
  readonly sideBySide?: number;
  /** Of the first try; each try has the next one. */
  readonly seed?: number;
  /** Whether no more runs shall be killed: those that were are completed. */
  readonly isOver?: () => boolean;
  /** Is told of each kill after which all was well. */
  readonly onSurvived?: (kills: number) => void;
}

/** A try that went wrong: its seed gives the same moments again. */
export interface Failure {
  readonly seed: number;
  readonly message: string;
}

/** The kills of a soak: each is taken before a run is started, and given back where the run was faster. */
export class Kills {
  #left: number;
  #survived = 0;
  readonly #onSurvived: (kills: number) => void;
  readonly #isOver: () => boolean;

  constructor({ kills, onSurvived = () => {}, isOver = () => false }: Soak) {
    this.#left = kills;
    this.#onSurvived = onSurvived;
    this.#isOver = isOver;
  }

  get left(): number {
    return this.#isOver() ? 0 : this.#left;
  }

  /** Whether there is one more; it is taken. */
  take(): boolean {
    if (this.left === 0) return false;
    this.#left--;
    return true;
  }

  giveBack(): void {
    this.#left++;
  }

  survived(): void {
    this.#onSurvived(++this.#survived);
  }
}

/** A try takes at least one kill; `seed` names its folder. */
export type Try = (kills: Kills, random: RandomSource, seed: number) => Promise<void>;

/** Makes tries beside each other until runs were killed often enough. @returns those that went wrong. */
export async function soak(attempt: Try, soak: Soak): Promise<readonly Failure[]> {
  const kills = new Kills(soak);
  const failures: Failure[] = [];
  let next = soak.seed ?? 1;
  const lane = async () => {
    while (kills.left > 0) {
      const seed = next++;
      try {
        await attempt(kills, new RandomSource(seed), seed);
      } catch (error) {
        failures.push({ seed, message: (error as Error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: soak.sideBySide ?? 1 }, lane));
  return failures;
}
