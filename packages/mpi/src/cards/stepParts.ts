import { fieldUse } from '@corpuscle/functor/passes';
import type {
  CellCall,
  EngineCall,
  NeighborCall,
  NeighborUpdate,
  PairCall,
  Plan,
  StepCall,
  Totals,
} from '@corpuscle/patterns';
import type { CardPairs } from './CardPairs.js';

/** A call of a cell functor, and that of the engine of the card. */
export interface CellsOfCard extends EngineCall<void> {
  readonly kind: 'cells';
  readonly plan: Plan<CellCall>;
  readonly below: EngineCall<void>;
}

/** An update of the lists of a grid that is divided, or will be. */
export interface ListsOfCard extends EngineCall<NeighborUpdate> {
  readonly kind: 'lists';
  readonly plan: Plan<NeighborCall>;
}

/** A call of a pair functor, and what makes it where the grid is divided. */
export interface PairsOfCard extends EngineCall<Totals> {
  readonly kind: 'pairs';
  readonly plan: Plan<PairCall>;
  shared(): CardPairs;
}

/** A call of a value functor, and that of the engine of the card. */
export interface ValuesOfCard extends EngineCall<void> {
  readonly kind: 'values';
  readonly below: EngineCall<void>;
}

interface CallOf<C> extends StepCall {
  readonly call: EngineCall & C;
}

export type CellsOfStep = CallOf<CellsOfCard>;

/**
 * Lists, what makes forces zero, and forces: these can be made before it is known whether the lists serve, and again. Value functors between
 * know nothing of lists, and come first.
 */
export interface ForcePart {
  readonly values: readonly CallOf<ValuesOfCard>[];
  readonly lists: CallOf<ListsOfCard>;
  readonly cells: readonly CellsOfStep[];
  readonly pairs: CallOf<PairsOfCard>;
}

/** The parts of a step: calls by themselves, and forces with the lists before them. */
export function partsOfStep(calls: readonly StepCall[]): readonly (StepCall | ForcePart)[] {
  const parts: (StepCall | ForcePart)[] = [];
  for (let k = 0; k < calls.length; k++) {
    const lists = calls[k]!;
    if (!isOf<ListsOfCard>(lists, 'lists')) {
      parts.push(lists);
      continue;
    }
    const values: CallOf<ValuesOfCard>[] = [];
    const cells: CellsOfStep[] = [];
    let at = k + 1;
    for (let next = calls[at]; next; next = calls[++at]) {
      if (isOf<ValuesOfCard>(next, 'values')) values.push(next);
      else if (isOf<CellsOfCard>(next, 'cells') && setsOnly(next.call)) cells.push(next);
      else break;
    }
    const pairs = calls[at];
    const isTogether = pairs && isOf<PairsOfCard>(pairs, 'pairs');
    if (isTogether && pairs.call.plan.grid === lists.call.plan.grid) {
      parts.push({ values, lists, cells, pairs });
      k = at;
    } else parts.push(lists);
  }
  return parts;
}

/** The calls of a part, one by one. */
export const callsOf = (part: StepCall | ForcePart): readonly StepCall[] =>
  'call' in part ? [part] : [...part.values, part.lists, ...part.cells, part.pairs];

/** The calls of cell functors that a step begins and ends with, and those between; null where it has none of one kind. */
export function endsOfStep(calls: readonly StepCall[]): {
  readonly begins: readonly CellsOfStep[];
  readonly middle: readonly StepCall[];
  readonly ends: readonly CellsOfStep[];
} | null {
  const mayJoin = (one: StepCall): one is CellsOfStep =>
    isOf<CellsOfCard>(one, 'cells') && one.call.plan.functor.ir !== null;
  const first = calls.findIndex((one) => !mayJoin(one));
  const last = calls.findLastIndex((one) => !mayJoin(one));
  const [begins, ends] = [calls.slice(0, Math.max(0, first)), calls.slice(last + 1)];
  if (begins.length === 0 || ends.length === 0) return null;
  return {
    begins: begins.filter(mayJoin),
    middle: calls.slice(first, last + 1),
    ends: ends.filter(mayJoin),
  };
}

const isOf = <C extends { readonly kind: string }>(
  one: StepCall,
  kind: C['kind'],
): one is CallOf<C> => 'kind' in one.call && one.call.kind === kind;

/** Whether a functor reads nothing of particles: called twice it does what it does once. */
const setsOnly = ({ plan: { functor } }: CellsOfCard): boolean =>
  functor.ir !== null && (fieldUse(functor.ir).reads.get('i')?.size ?? 0) === 0;
