import { CorpuscleError } from '@corpuscle/core';
import type { Card } from './cardsOf.js';

/**
 * The card of one of several processes on a machine: one after the other, beginning anew where there are more processes than cards.
 * @param asked numbers of the cards that may be used, such as `0,2`: `CORPUSCLE_DEVICE`; undefined: all
 * @param local the number of the process on its machine
 * @returns null where there are no cards to choose from
 * @throws CorpuscleError INVALID_VALUE for a card that there is not
 */
export function chooseCard(
  cards: readonly Card[],
  asked: string | undefined,
  local: number,
): Card | null {
  if (cards.length === 0) return null;
  const usable = asked === undefined ? cards : asked.split(',').map((text) => cardOf(cards, text));
  return usable[local % usable.length]!;
}

function cardOf(cards: readonly Card[], text: string): Card {
  const card = cards.find(({ number }) => text.trim() === String(number));
  if (card) return card;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `CORPUSCLE_DEVICE names card '${text}', which is not here: give numbers of ${cards.map(({ number }) => number).join(', ')}, with commas between them`,
  );
}
