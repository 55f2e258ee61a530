import { elementText } from '../../kernels/HeapText.js';
import type { NeighborhoodOutput } from '../NeighborhoodPlan.js';
import type { ItemText } from './rowEnvironment.js';

/** Begins what the particle receives: zero, or what is stored where the functor does more than add to it. */
export function beginText({ field, place, central }: NeighborhoodOutput): string {
  if (central === 'sum') return `let $sum_${field} = 0;`;
  const old = place ? elementText(`$out_${field}`, '$i', place) : '0';
  return `const $before_${field} = ${old}; let $sum_${field} = $before_${field};`;
}

/** Stores what the particle received, and adds it to the total. */
export function storeText({ field, place, central, total }: NeighborhoodOutput): string {
  const to = place ? elementText(`$out_${field}`, '$i', place) : '';
  const change = central === 'sum' ? `$sum_${field}` : `$sum_${field} - $before_${field}`;
  return [
    total ? `$total_${field} += ${change};` : '',
    place ? `${to} ${central === 'sum' ? '+=' : '='} $sum_${field};` : '',
  ].join(' ');
}

/** Adds what packed neighbor `$k` received to its row `$j` and to the total. */
export function giveText({ field, place, total }: NeighborhoodOutput, item: ItemText): string {
  const given = item(field, '$k');
  return [
    place ? `${elementText(`$outOther_${field}`, '$j', place)} += ${given};` : '',
    total ? `$total_${field} += ${given};` : '',
  ].join(' ');
}
