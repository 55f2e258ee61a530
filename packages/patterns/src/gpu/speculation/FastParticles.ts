import type { Limits, ListAge } from './listAge.js';

/** Part of the skin beyond which particles count as fast: bounds, and before anything is known. */
const TAU_RATIO = { least: 0.25, first: 0.4, most: 0.5 } as const;
/** Part of a list of fast particles that is meant to be used. */
const USED = 0.5;
/** Expectations are off by as many at least. */
const NOISE = 16;
/** Each time, the excess is forgotten by this factor at most. */
const DECAY = 0.8;

/** How many particles go far, learned from how many did; it says how low tau may be. */
export class FastParticles {
  /** Fast particles to every one expected. */
  #excess = 1;
  /** How far the fastest goes in an update, in skins. */
  #speed = 0;
  #mostFast = 0;
  #count = 1;

  /** @param speed how far the fastest goes in an update. */
  learn(ages: readonly ListAge[], { skin, tau, mostFast, count }: Limits, speed: number): void {
    this.#mostFast = mostFast;
    this.#count = count;
    this.#speed = speed / skin;
    let excess = 0;
    for (const { age, fast = 0 } of ages) {
      const most = speed * age;
      if (fast === 0 || !(most > tau)) continue;
      excess = Math.max(excess, (fast + NOISE) / (expectedBeyond(tau / most, count) + NOISE));
    }
    if (excess > 0) this.#excess = Math.max(excess, DECAY * this.#excess);
  }

  /** tau ÷ skin at which the fast particles of a list of that age will find room. */
  tauRatio(age: number): number {
    if (this.#mostFast === 0) return TAU_RATIO.most;
    if (this.#speed === 0) return TAU_RATIO.first;
    const part = partOfMost((USED * this.#mostFast) / this.#excess, this.#count);
    return Math.min(TAU_RATIO.most, Math.max(TAU_RATIO.least, part * this.#speed * age));
  }
}

/**
 * Particles expected to be farther than `part` of what the fastest went, in thermal motion: the logarithm of their number
 * falls with the square of the speed, from all of them to one.
 */
const expectedBeyond = (part: number, count: number): number => count ** (1 - part ** 2);

/** The least part of what the fastest goes that no more than `most` particles exceed. */
const partOfMost = (most: number, count: number): number =>
  most <= 1 ? 1 : Math.sqrt(Math.max(0, 1 - Math.log(most) / Math.log(Math.max(2, count))));
