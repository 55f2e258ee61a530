import type { Grid } from '@corpuscle/core';
import type { NeighborCall, NeighborUpdate, Plan } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { checkEnough, type RanksEngine } from '../engine/RanksEngine.js';
import type { Card } from './CardHalo.js';
import type { OwnPairs } from './CardPairs.js';
import { CardShare } from './CardShare.js';

/** The shares that a rank on a card has of grids, and their lists. */
export class CardShares {
  readonly #card: Card;
  readonly #communicator: Communicator;
  readonly #ranks: RanksEngine;
  readonly #shares = new WeakMap<Grid, CardShare>();

  constructor(card: Card, communicator: Communicator, ranks: RanksEngine) {
    this.#card = card;
    this.#communicator = communicator;
    this.#ranks = ranks;
  }

  /** The share of a grid; undefined where every rank has all of it. */
  of(grid: Grid): CardShare | undefined {
    const share = this.#shares.get(grid);
    return share?.isCurrent ? share : undefined;
  }

  /** @param own pairs of own particles, which are met while it becomes known whether lists serve, or others travel */
  async updateLists(
    { grid, rcut, skin, force, onUpdate }: Plan<NeighborCall>,
    own: OwnPairs | null,
  ): Promise<NeighborUpdate> {
    const present = this.of(grid);
    const share = present ?? (await this.#divide(grid));
    grid.wholeDomain.checkReach(rcut);
    const known = present?.reaches({ rcut, skin }) === true;
    const moved = known ? await share.follow() : null;
    if (own && known && !force && share.isToLast) {
      await own.run();
      share.halo.submit();
      await share.exchange();
    }
    const maxDisplacement = this.#ranks.agree(moved ? await moved() : 0);
    const hasMoved = share.isTooFar(maxDisplacement);
    const isOtherBox = share.isInOtherBox;
    const update = { rebuilt: false, reason: SERVES, maxDisplacement };
    if (maxDisplacement < Infinity && (!known || force || hasMoved)) {
      const far = `a particle moved ${maxDisplacement.toPrecision(3)} (more than half the skin, ${share.limit.toPrecision(3)})`;
      own?.forget();
      await share.build({ rcut, skin }, own?.names, own?.run);
      let reason = known ? 'asked for' : 'first build';
      if (known && isOtherBox) reason = 'another box';
      else if (known && hasMoved) reason = far;
      Object.assign(update, { rebuilt: true, reason });
    }
    onUpdate?.(update);
    return update;
  }

  async #divide(grid: Grid): Promise<CardShare> {
    checkEnough(grid, this.#communicator);
    await this.#card.device.newestOnHost([...grid.blocks.values()], grid);
    const before = this.#shares.get(grid);
    if (before) before.free();
    else grid.onFree(() => this.#shares.get(grid)?.free());
    const share = new CardShare(this.#card, this.#communicator, grid);
    this.#shares.set(grid, share);
    return share;
  }
}

const SERVES = 'no particle moved more than half the skin';
