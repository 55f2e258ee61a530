import type {
  CallArguments,
  EngineCall,
  PairCall,
  PatternHandle,
  Plan,
  StepCall,
  Totals,
} from '@corpuscle/patterns';
import { totalsOf } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import { oneSided } from '../engine/oneSided.js';
import { type PairUse, pairUse, seesNeighborhoods } from '../engine/pairUse.js';
import { ofOwnParticles } from '../halo/ofOwnParticles.js';
import type { Card, CardHalo, CardUpdate } from './CardHalo.js';
import type { CardShare } from './CardShare.js';
import { belowOf } from './CardValues.js';

/** Pairs of own particles that an update of the lists meets on the way. */
export interface OwnPairs {
  /** What their functor reads of particles. */
  readonly names: readonly string[];
  run(): Promise<void>;
  /** They must be met again. */
  forget(): void;
}

/**
 * A pair functor on a card: for the pairs of own particles while positions travel, then for those with ghosts, which their owners
 * meet too, from the other side. A functor of whole neighborhoods is called for own particles among all that they see, and what ghosts
 * receive returns to their owners. Totals are those of all ranks.
 */
export class CardPairs {
  readonly #card: Card;
  readonly #communicator: Communicator;
  readonly #plan: Plan<PairCall>;
  /** Whether the functor sees whole neighborhoods. */
  readonly #isWhole: boolean;
  readonly #own: EngineCall<Totals>;
  readonly #names: readonly string[];
  readonly #into: PairCall['into'];
  #known: PairUse | null = null;
  /** The call in the halo. */
  #halo: { readonly halo: CardHalo; readonly call: EngineCall<Totals> } | null = null;

  constructor(card: Card, communicator: Communicator, plan: Plan<PairCall>) {
    this.#card = card;
    this.#communicator = communicator;
    this.#plan = { ...plan, into: undefined };
    this.#isWhole = seesNeighborhoods(plan.functor);
    this.#own = card.preparePairs(this.#plan);
    this.#names = totalsOf(plan);
    this.#into = plan.into;
  }

  /** @throws CorpuscleError BACKEND_UNAVAILABLE for what ranks on cards cannot compute */
  async run(share: CardShare, given: CallArguments): Promise<Totals> {
    if (this.#isWhole) return this.#sum([await this.#meetNeighborhoods(share, given)]);
    const updates = await share.start(this.#use(given).read);
    return this.finish(share, given, this.#own.run(given), updates);
  }

  /** The call for pairs of own particles after others; null where the totals are wanted, or whole neighborhoods. */
  callsAfter(calls: readonly StepCall[], given: CallArguments): readonly StepCall[] | null {
    if (this.#isWhole || this.#names.length > 0 || !this.#card.prepareStep) return null;
    return [...calls, { call: this.#own, args: given }];
  }

  /** Blocks that are needed of others. */
  needs(given: CallArguments): readonly string[] {
    return this.#use(given).read;
  }

  /** Starts to send what is needed of others. */
  start(share: CardShare, given: CallArguments): Promise<readonly CardUpdate[]> {
    return share.start(this.#use(given).read);
  }

  /** What remains when the pairs of own particles have been recorded. @param own their totals */
  async finish(
    share: CardShare,
    given: CallArguments,
    own: PatternHandle<Totals> | null,
    updates: readonly CardUpdate[],
  ): Promise<Totals> {
    const { halo } = share;
    halo.submit();
    await halo.finish(updates);
    return this.#sum([await this.#meetGhosts(share, given, this.#use(given)), own]);
  }

  /** Totals of all ranks. @param parts those of this rank */
  async #sum(parts: readonly (Totals | PatternHandle<Totals> | null)[]): Promise<Totals> {
    const names = this.#names;
    if (names.length === 0) return {};
    const sums = new Float64Array(names.length);
    for (const part of parts) {
      const totals = part && (await part);
      if (totals) for (const [k, name] of names.entries()) sums[k]! += totals[name]!;
    }
    return this.#give(this.#communicator.sum(sums));
  }

  /** Pairs of border particles and ghosts; null where there are none. */
  async #meetGhosts(share: CardShare, given: CallArguments, use: PairUse) {
    const { halo } = share;
    halo.clear(use.written);
    if (halo.isEmpty) return null;
    const totals = this.#callIn(halo, oneSided).run(given);
    if (!this.#card.device.idle) await this.#card.device.started();
    halo.collect(use.written);
    return totals;
  }

  /** Neighborhoods of own particles; null where there are none. */
  async #meetNeighborhoods(share: CardShare, given: CallArguments) {
    const use = this.#use(given);
    const halo = await share.neighborhoods();
    await halo.finish(halo.start(use.read));
    halo.clear(use.written);
    const totals = halo.isEmpty ? null : this.#callIn(halo, ofOwnParticles).run(given);
    if (!this.#card.device.idle) await this.#card.device.started();
    halo.collect(use.written);
    await halo.giveBack(use.scattered);
    return totals;
  }

  /** The call of what becomes of the functor in a halo. */
  #callIn(
    halo: CardHalo,
    made: (functor: PairCall['functor']) => PairCall['functor'],
  ): EngineCall<Totals> {
    if (this.#halo?.halo !== halo) {
      const functor = made(this.#plan.functor);
      const call = this.#card.preparePairs({ ...this.#plan, functor, grid: halo.grid });
      this.#halo = { halo, call };
    }
    return this.#halo.call;
  }

  #give(sums: Float64Array): Totals {
    const into = this.#into;
    if (!into) return Object.fromEntries(this.#names.map((name, k) => [name, sums[k]!]));
    belowOf(into.values).write([...sums], into.at);
    return {};
  }

  #use(given: CallArguments): PairUse {
    if (this.#known && !given.rows) return this.#known;
    this.#known = pairUse({ ...this.#plan, ...given });
    return this.#known;
  }
}
