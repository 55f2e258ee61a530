import { FIRST_SKIN } from '../../plan/skin.js';

/** Skins that are considered, as parts of the cutoff. */
const STEP = 0.01;
const LARGEST = 0.6;
/** Parts of the time of pairs and of builds that grow with the number of listed pairs; the rest does not depend on the skin. */
const PAIRS_GROW = 0.5;
const BUILD_GROWS = 0.8;
/** A skin changes when that saves at least this part of the time of lists and forces, and at most by this factor. */
const WORTH = 0.01;
const LARGEST_CHANGE = 1.4;
/** The first lists are made and used by code that is not yet compiled to its best. */
const WARM_UP = 2;
/** Weight of the latest list in the average of displacements. */
const WEIGHT = 0.3;
/** Lists whose times are remembered; the median counts, for other programs may have held up some. */
const REMEMBERED = 7;
/** A list that lasts is looked at now and then, up to an age: particles that hardly move need less skin. */
const LOOK_EVERY = 64;
const LAST_LOOK = 1024;

/**
 * Chooses the skin of neighbor lists from what was measured: a larger one makes lists last longer and pair calls slower.
 *
 *   time of a step (s) = pairs (s) + build (s) / steps (s)        both times grow with (rcut + s)³
 *
 * How many steps a list of another skin would last is read from the largest displacement in each step since the build,
 * which is known without trying.
 */
export class SkinTuner {
  #skin: number;
  readonly #rcut: number;
  // The list in use: milliseconds of its build and of the pairs of each step, and how far particles had moved by then.
  #build = 0;
  #now = 0;
  #pairs: number[] = [];
  #reach: number[] = [];
  // The latest lists: milliseconds of a build and of a step's pairs, as they would be without a skin; average displacements.
  #lists = 0;
  #buildTimes: number[] = [];
  #pairTimes: number[] = [];
  #displacements: number[] = [];

  /** @param skin what it begins with */
  constructor(rcut: number, skin = FIRST_SKIN * rcut) {
    this.#rcut = rcut;
    this.#skin = skin;
  }

  get skin(): number {
    return this.#skin;
  }

  /** Milliseconds spent on lists. */
  built(time: number): void {
    this.#build += time;
  }

  /** Milliseconds spent on pairs. */
  computed(time: number): void {
    this.#now += time;
  }

  /** A step of the list in use; true when a new list with another skin is worth its build. */
  step(displacement: number): boolean {
    const age = this.#reach.length + 1;
    if (age > LAST_LOOK) return false;
    this.#reach.push(displacement);
    this.#pairs.push(this.#now);
    this.#now = 0;
    if (age % LOOK_EVERY !== 0) return false;
    this.#learn();
    return this.#best() < 0.7 * this.#skin;
  }

  /**
   * A list is about to be made; says with which skin.
   * @param moved whether the one in use ended because a particle had moved too far.
   */
  next(moved: boolean): number {
    this.#lists++;
    if (moved && (this.#lists > WARM_UP || this.#reach.length >= LOOK_EVERY)) {
      this.#learn();
      const best = this.#best();
      const least = this.#skin / LARGEST_CHANGE;
      const most = this.#skin * LARGEST_CHANGE;
      const wanted = Math.min(most, Math.max(least, best));
      if (this.#cost(wanted) < (1 - WORTH) * this.#cost(this.#skin)) this.#skin = rounded(wanted);
    }
    this.#build = this.#now = 0;
    this.#pairs = [];
    this.#reach = [];
    return this.#skin;
  }

  /** The box allows no larger skin than this for the list that is being made. */
  limit(skin: number): void {
    this.#skin = skin;
  }

  #learn(): void {
    const usual = median(this.#pairs.filter((time) => time > 0));
    if (!(usual > 0)) return;
    const time = mean(this.#pairs.map((one) => Math.min(one, 1.5 * usual)));
    remember(this.#pairTimes, time / this.#growth(this.#skin, PAIRS_GROW));
    remember(this.#buildTimes, this.#build / this.#growth(this.#skin, BUILD_GROWS));
    const first = this.#displacements.length === 0;
    this.#reach.forEach((distance, k) => {
      const before = this.#displacements[k] ?? distance;
      this.#displacements[k] = before + (first ? 1 : WEIGHT) * (distance - before);
    });
    this.#displacements.length = this.#reach.length; // later steps belong to larger skins of long ago
  }

  /** Time with a skin over that without, when a part of it grows with the number of listed pairs. */
  #growth(skin: number, part: number): number {
    return 1 - part + part * ((this.#rcut + skin) / this.#rcut) ** 3;
  }

  /** Milliseconds a step at a skin. */
  #cost(skin: number): number {
    const pairs = median(this.#pairTimes) * this.#growth(skin, PAIRS_GROW);
    const build = median(this.#buildTimes) * this.#growth(skin, BUILD_GROWS);
    return pairs + build / this.#steps(skin / 2);
  }

  // Steps until a particle has moved so far, from the average of the lists so far; beyond them it goes on as fast.
  #steps(distance: number): number {
    const displacements = this.#displacements;
    const last = displacements.length - 1;
    const k = displacements.findIndex((value) => value > distance);
    const [from, to] =
      k > 0 ? [displacements[k - 1]!, displacements[k]!] : [0, displacements[k < 0 ? last : 0]!];
    if (k < 0) return to > 0 ? Math.max(1, ((last + 1) * distance) / to + 0.5) : Infinity;
    return Math.max(1, k + (distance - from) / (to - from) + 0.5); // a list lasts whole steps: half of one more
  }

  #best(): number {
    let best = this.#skin;
    let least = this.#cost(best);
    for (let k = 1; k * STEP <= LARGEST; k++) {
      const skin = k * STEP * this.#rcut;
      const cost = this.#cost(skin);
      if (cost < least) [best, least] = [skin, cost];
    }
    return best;
  }
}

function remember(times: number[], time: number): void {
  times.push(time);
  if (times.length > REMEMBERED) times.shift();
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const rounded = (skin: number): number => Number(skin.toPrecision(4));
