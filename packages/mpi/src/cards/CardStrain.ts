import type { Grid } from '@corpuscle/core';
import type { CallArguments, EngineCall, EngineValues, PatternHandle } from '@corpuscle/patterns';
import {
  boxNames,
  boxNumbers,
  followBox,
  strainedBox,
  strainNames,
  strainParams,
} from '@corpuscle/patterns/boxes';
import type { EngineStrain } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import type { Card } from './CardHalo.js';
import type { CardShare } from './CardShare.js';
import { belowOf } from './CardValues.js';

/** What a strain needs of the engine whose ranks share the box. */
export interface StrainOwner {
  readonly card: Card;
  readonly communicator: Communicator;
  shareOf(grid: Grid): CardShare | undefined;
  createValues(initial: readonly number[]): EngineValues;
  /** Does something that may wait, after all calls before it. */
  after<R>(task: () => Promise<R>): PatternHandle<R>;
  /** Resolves when all calls have been made. */
  settled(): Promise<void>;
}

/**
 * The strain of a box that ranks share. It is taken in as soon as it is there, by all with the same numbers, those of the first rank:
 * particles follow on the cards, and the hosts know the box. Lists serve on as long as the strain leaves some of their skin.
 */
export class CardStrain implements EngineStrain {
  readonly values: EngineValues;
  readonly box: EngineValues;
  readonly call: EngineCall<void>;
  readonly measure: EngineCall<void>;
  readonly #owner: StrainOwner;
  readonly #grid: Grid;
  readonly #move: EngineCall<void>;

  constructor(owner: StrainOwner, grid: Grid) {
    this.#owner = owner;
    this.#grid = grid;
    this.values = owner.createValues(strainNames.map(() => 0));
    this.box = owner.createValues(boxNames.map(() => 0));
    this.#move = owner.card.prepareCells({ grid, functor: followBox });
    this.call = { run: (args) => owner.after(() => this.#follow(args)) };
    this.measure = { run: () => owner.after(async () => this.#measure()) };
    grid.onFree(() => {
      this.values.free();
      this.box.free();
    });
  }

  shear(): void {}

  know(): Promise<void> {
    return this.#owner.settled();
  }

  settle(): Promise<void> {
    return this.#owner.settled();
  }

  async #follow(args: CallArguments): Promise<void> {
    const { card, communicator } = this.#owner;
    const values = belowOf(this.values);
    const own = await values.read().wait();
    const { length } = strainNames;
    const numbers = [...communicator.gather(Float64Array.from(own)).subarray(0, length)];
    if (numbers.every((number) => number === 0)) return;
    const whole = strainedBox(this.#grid.wholeDomain, numbers);
    const share = this.#owner.shareOf(this.#grid);
    if (share?.strain(numbers, whole) !== true) {
      this.#move.run({ ...args, params: strainParams(numbers), asynchronous: true });
      if (!card.device.idle) await card.device.started();
      this.#grid.changeDomain(whole);
    }
    values.write(strainNames.map(() => 0));
  }

  #measure(): void {
    belowOf(this.box).write(boxNumbers(this.#grid.wholeDomain));
  }
}
