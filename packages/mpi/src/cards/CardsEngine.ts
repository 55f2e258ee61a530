import { CorpuscleError, type Grid } from '@corpuscle/core';
import {
  type BlockCall,
  type CallArguments,
  type CellCall,
  completed,
  type Device,
  type Engine,
  type EngineCall,
  type EngineStep,
  type EngineValues,
  type NeighborCall,
  type NeighborUpdate,
  type PairCall,
  type PatternHandle,
  type Plan,
  type Precision,
  type RecordCall,
  type ReduceCall,
  type StepCall,
  type Totals,
  type ValueCall,
} from '@corpuscle/patterns';
import type { EngineStrain, StrainEngine } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import type { DividedGrids, RanksEngine } from '../engine/RanksEngine.js';
import { CardDevice } from './CardDevice.js';
import type { Card } from './CardHalo.js';
import { CardPairs } from './CardPairs.js';
import { CardReduction } from './CardReduction.js';
import type { CardShare } from './CardShare.js';
import { CardShares } from './CardShares.js';
import { CardStrain } from './CardStrain.js';
import { belowOf, CardValues, placesBelow } from './CardValues.js';
import { ForceSteps, type StepMaker } from './ForceSteps.js';
import { StepBoundary } from './StepBoundary.js';
import { StepOrder } from './StepOrder.js';
import {
  type CellsOfCard,
  callsOf,
  endsOfStep,
  type ForcePart,
  type ListsOfCard,
  type PairsOfCard,
  partsOfStep,
  type ValuesOfCard,
} from './stepParts.js';

/**
 * The engine of a card on one of many ranks, one rank a card. The particles of a rank stay on its card; what others see of them goes
 * from card to card through the hosts:
 *
 *   lists   positions start for the others, and the farthest way is read ─▶ one sum decides for all whether to rebuild
 *   pairs   those of own particles on the card │ meanwhile positions travel │ then those with ghosts
 *   sums    of all ranks, in their order
 *
 * A call that waits for messages holds up those after it; `Device.started` tells when none waits.
 */
export class CardsEngine implements StrainEngine, DividedGrids {
  readonly name = 'webgpu';
  readonly description: string;
  readonly precisions: readonly Precision[];
  readonly precisionReason?: string;
  readonly device: Device;
  readonly #card: Card;
  readonly #maker: StepMaker;
  readonly #communicator: Communicator;
  readonly #ranks: RanksEngine;
  readonly #order = new StepOrder();
  readonly #shares: CardShares;
  #failure: unknown = null;

  /**
   * @param engine that of the card
   * @param ranks the engine of the same rank on its CPU
   * @throws CorpuscleError BACKEND_UNAVAILABLE where the engine cannot exchange ghosts
   */
  constructor(engine: Engine, ranks: RanksEngine, communicator: Communicator) {
    if (!isCard(engine))
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `ranks cannot use backend ${engine.name} yet: use webgpu or cpu, or run on one rank`,
      );
    this.#card = engine;
    this.#shares = new CardShares(engine, communicator, ranks);
    this.#maker = {
      card: engine,
      shareOf: (grid) => this.#shares.of(grid),
      updateLists: (plan, own) => this.#shares.updateLists(plan, own),
    };
    this.#ranks = ranks;
    this.#communicator = communicator;
    this.precisions = engine.precisions;
    if (engine.precisionReason) this.precisionReason = engine.precisionReason;
    this.description = `${communicator.size} ranks, each on ${engine.description}`;
    this.device = new CardDevice(engine.device, this.#order, () => this.#failure);
    ranks.leaveDivisionTo(this);
  }

  shareOf(grid: Grid): CardShare | undefined {
    return this.#shares.of(grid);
  }

  prepareBlocks(plan: Plan<BlockCall>) {
    return this.#inOrder(this.#card.prepareBlocks(plan));
  }

  prepareCells(plan: Plan<CellCall>): CellsOfCard {
    const below = this.#card.prepareCells(plan);
    return { kind: 'cells', plan, below, ...this.#inOrder(below) };
  }

  prepareReduction(plan: Plan<ReduceCall>): EngineCall<Totals> {
    const whole = this.#card.prepareReduction({ ...plan, into: placesBelow(plan.into) });
    let shared: CardReduction | null = null;
    return this.#dividedOr(plan.grid, whole, (_, args) => {
      shared ??= new CardReduction(this.#card, this.#communicator, plan);
      return shared.run(args);
    });
  }

  /** @throws CorpuscleError BACKEND_UNAVAILABLE when it is run on particles that ranks share. */
  prepareRecords(plan: Plan<RecordCall>) {
    const whole = this.#card.prepareRecords(plan);
    return this.#dividedOr(plan.grid, whole, () => {
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `ranks cannot add up the records of '${plan.functor.name}' yet: run it on one rank`,
      );
    });
  }

  preparePairs(plan: Plan<PairCall>): PairsOfCard {
    const whole = this.#card.preparePairs({ ...plan, into: placesBelow(plan.into) });
    let pairs: CardPairs | null = null;
    const shared = (): CardPairs => {
      pairs ??= new CardPairs(this.#card, this.#communicator, plan);
      return pairs;
    };
    const call = this.#dividedOr(plan.grid, whole, (share, args) => shared().run(share, args));
    return { kind: 'pairs', plan, shared, ...call };
  }

  prepareValues(plan: Plan<ValueCall>): ValuesOfCard {
    const places = plan.places.map(({ values, at }) => ({ values: belowOf(values), at }));
    const below = this.#card.prepareValues({ ...plan, places });
    return { kind: 'values', below, ...this.#inOrder(below) };
  }

  createValues(initial: readonly number[]): EngineValues {
    return new CardValues(this.#card.createValues(initial), this.#order);
  }

  /** The strain of a box that this rank shares. */
  prepareStrain(grid: Grid): EngineStrain {
    return new CardStrain(
      {
        card: this.#card,
        communicator: this.#communicator,
        shareOf: (of) => this.shareOf(of),
        createValues: (initial) => this.createValues(initial),
        after: (task) => this.#after(task),
        settled: async () => {
          await this.#order.settled();
          this.#check();
        },
      },
      grid,
    );
  }

  prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate> | ListsOfCard {
    if (this.#ranks.isWhole(plan.grid)) return this.#inOrder(this.#card.prepareLists(plan));
    const run = () => this.#after(() => this.#shares.updateLists(plan, null));
    return { kind: 'lists', plan, run };
  }

  /** Its calls one after the other, the last together with the first of the next step; a promise while they wait for messages. */
  prepareStep(calls: readonly StepCall[]): EngineStep {
    const ends = this.#card.prepareStep ? endsOfStep(calls) : null;
    const boundary =
      ends &&
      new StepBoundary(this.#order, ends.begins, ends.ends, (all) => this.#card.prepareStep!(all));
    const parts = partsOfStep(ends?.middle ?? calls);
    const steps = parts.map((part) => this.#prepareForces(part, parts.length, boundary));
    const run = (most: number): number | Promise<number> => {
      const joined = boundary?.begin();
      if (joined) this.#after(async () => void (await joined.run(1)));
      let made = 1;
      for (const [k, part] of parts.entries()) {
        const forces = steps[k];
        if (forces?.isShared)
          this.#after(async () => {
            made = await forces.run(most);
          });
        else for (const { call, args } of callsOf(part)) call.run(args);
      }
      boundary?.end();
      return this.device.idle ? made : this.device.started().then(() => made);
    };
    const close = (): void => {
      boundary?.close();
      for (const forces of steps) forces?.close();
    };
    return { run, close, isSame: boundary !== null && steps.length === 1 && steps[0] !== null };
  }

  /** @param parts of the step: where there are others, steps in a row are made one by one */
  #prepareForces(
    part: StepCall | ForcePart,
    parts: number,
    boundary: StepBoundary | null,
  ): ForceSteps | null {
    if ('call' in part) return null;
    const { cells, pairs } = part;
    const below = cells.map(({ call, args }) => ({ call: call.below, args }));
    const own = pairs.call.shared().callsAfter(below, pairs.args);
    const between = parts === 1 && boundary ? boundary.calls : [];
    return own && new ForceSteps(this.#maker, part, own, between);
  }

  async close(): Promise<void> {
    await this.#order.settled();
    await this.#card.close();
  }

  /** A call that is made in its turn. */
  #inOrder<R>(call: EngineCall<R>): EngineCall<R> {
    return {
      run: (args) =>
        this.#order.run(
          () => null,
          () => {
            this.#check();
            return call.run(args);
          },
        ),
    };
  }

  /** A call that is made otherwise where the grid is divided when its turn has come. */
  #dividedOr<R>(
    grid: Grid,
    whole: EngineCall<R>,
    divided: (share: CardShare, args: CallArguments) => Promise<R>,
  ): EngineCall<R> {
    return {
      run: (args) =>
        this.#after(async () => {
          const share = this.shareOf(grid);
          return share ? divided(share, args) : whole.run(args);
        }),
    };
  }

  /** Does something that may wait for messages, after all calls before it. After an error nothing more is done. */
  #after<R>(task: () => Promise<R>): PatternHandle<R> {
    let result: R;
    return this.#order.run(
      async () => {
        this.#check();
        try {
          if (!this.#card.device.idle) await this.#card.device.started();
          result = await task();
        } catch (error) {
          this.#failure ??= error;
          throw error;
        }
      },
      () => completed(result),
    );
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

const isCard = (engine: Engine): engine is Card =>
  engine.device !== undefined && 'openHalo' in engine.device && engine.prepareLists !== undefined;
