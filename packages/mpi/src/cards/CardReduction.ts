import type { CallArguments, EngineCall, Plan, ReduceCall, Totals } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { type JoinedResults, resultsOf } from '../engine/resultsOf.js';
import type { Card } from './CardHalo.js';
import { belowOf } from './CardValues.js';

/** A reduction over the particles of all ranks, each on its card. Initial values count once. */
export class CardReduction {
  readonly #communicator: Communicator;
  readonly #own: EngineCall<Totals>;
  readonly #results: JoinedResults;
  readonly #into: Plan<ReduceCall>['into'];

  /** @throws CorpuscleError BACKEND_UNAVAILABLE for results that ranks cannot join */
  constructor(card: Card, communicator: Communicator, plan: Plan<ReduceCall>) {
    this.#communicator = communicator;
    this.#results = resultsOf(plan);
    this.#into = plan.into;
    const isFirst = communicator.rank === 0;
    const initial = isFirst ? plan.initial : this.#results.neutral;
    this.#own = card.prepareReduction({ ...plan, initial, into: undefined });
  }

  async run(args: CallArguments): Promise<Totals> {
    const { names, joined } = this.#results;
    const part = await this.#own.run(args);
    const totals = joined(this.#communicator.gather(Float64Array.from(names, (one) => part[one]!)));
    if (!this.#into) return totals;
    belowOf(this.#into.values).write(
      names.map((name) => totals[name]!),
      this.#into.at,
    );
    return {};
  }
}
