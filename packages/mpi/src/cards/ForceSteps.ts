import type { Grid } from '@corpuscle/core';
import type { EngineStep, NeighborCall, NeighborUpdate, Plan, StepCall } from '@corpuscle/patterns';
import type { HaloMove } from '@corpuscle/patterns/engines';
import type { Card } from './CardHalo.js';
import type { OwnPairs } from './CardPairs.js';
import type { CardShare } from './CardShare.js';
import type { ForcePart } from './stepParts.js';

/** What steps need of the engine that they are made by. */
export interface StepMaker {
  readonly card: Card;
  shareOf(grid: Grid): CardShare | undefined;
  /** @param own pairs of own particles, which are met while it becomes known whether lists serve, or others travel */
  updateLists(plan: Plan<NeighborCall>, own: OwnPairs): Promise<NeighborUpdate>;
}

/**
 * Lists and forces of a step, and of steps in a row. Between two of these the kernel of the own pairs moves the particles, but for the border:
 *
 *   forces alone     lists │ own pairs                │ pairs with ghosts │ and an open end
 *   steps in a row   lists │ own pairs + kick + drift │ pairs with ghosts │ kick + drift of the border │ lists │ …
 */
export class ForceSteps {
  readonly #maker: StepMaker;
  readonly #part: ForcePart;
  /** What clears forces, and the pairs of own particles. */
  readonly #ownCalls: readonly StepCall[];
  readonly #own: EngineStep;
  /** From the end of a step to the lists of the next. */
  readonly #between: readonly StepCall[];
  #move: { readonly share: CardShare; readonly move: HaloMove | null } | null = null;

  /** @param between calls of the card from these forces to the next; none where others come between */
  constructor(
    maker: StepMaker,
    part: ForcePart,
    ownCalls: readonly StepCall[],
    between: readonly StepCall[],
  ) {
    this.#maker = maker;
    this.#part = part;
    this.#ownCalls = ownCalls;
    this.#own = maker.card.prepareStep!(ownCalls);
    this.#between = between;
  }

  /** Whether ranks share the particles. */
  get isShared(): boolean {
    return this.#maker.shareOf(this.#part.lists.call.plan.grid) !== undefined;
  }

  /** Makes the forces, and steps before as long as they are in a row. @returns how many steps, with that of the forces */
  async run(most: number): Promise<number> {
    let made = 1;
    for (; made < most; made++) {
      const move = this.#findMove();
      if (move === null) break;
      await this.#make(() => move.meet());
      move.goOn();
    }
    await this.#make(async () => void (await this.#own.run(1)));
    return made;
  }

  close(): void {
    this.#own.close();
  }

  /** Null where no lists have been built, or the calls are not one kernel. */
  #findMove(): HaloMove | null {
    const { plan } = this.#part.lists.call;
    const share = this.#maker.shareOf(plan.grid);
    if (this.#between.length === 0 || !share?.reaches(plan)) return null;
    if (this.#move?.share !== share) {
      const move = share.halo.prepareMove([...this.#ownCalls, ...this.#between]);
      this.#move = { share, move };
    }
    return this.#move.move;
  }

  /** Updates the lists, and meets all pairs: those of own particles while it becomes known whether the lists serve. */
  async #make(meet: () => void | Promise<void>): Promise<void> {
    const { lists, values, pairs } = this.#part;
    const { device } = this.#maker.card;
    for (const { call, args } of values) call.below.run(args);
    if (!device.idle) await device.started();
    let isMet = false;
    const run = async (): Promise<void> => {
      await meet();
      isMet = true;
    };
    const forget = (): void => {
      isMet = false;
    };
    const shared = pairs.call.shared();
    const { plan } = lists.call;
    await this.#maker.updateLists(plan, { names: shared.needs(pairs.args), run, forget });
    const share = this.#maker.shareOf(plan.grid)!;
    if (!isMet) await run();
    await shared.finish(share, pairs.args, null, await shared.start(share, pairs.args));
  }
}
