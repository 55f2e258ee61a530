import { type HeapText, viewShift } from '../../kernels/HeapText.js';
import { slotNames } from '../../pair/wasm/pairSlots.js';
import {
  bufferArrays,
  type NeighborhoodPlan,
  slots as names,
  threadSlots,
} from '../NeighborhoodPlan.js';

/** A word of the thread's record. */
export const threadWord = (offset: number): string => `U32[$record + ${offset / 4}]`;

/** What is read from the argument record and the thread's own: addresses as indices into views of the heap. */
export function setupText(plan: NeighborhoodPlan, text: HeapText): readonly string[] {
  text.declare('$positions', text.address(slotNames.positions, 3));
  text.declare('$shifts', text.address(slotNames.shifts, 3));
  text.declare('$cutoff2', text.slot(slotNames.cutoff2, 'f64'));
  text.declare('$capacity', text.slot(names.capacity, 'i32'));
  const threads = text.address(slotNames.threads, 2);
  text.declare('$record', `(${threads}) + $thread * ${threadSlots.bytes(plan) / 4}`);
  text.declare('$lastEntry', text.index(threadWord(threadSlots.last), 2));
  text.declare('$indices', text.index(threadWord(threadSlots.indices), 2));
  let place = text.index(threadWord(threadSlots.buffer), 2); // in units of four bytes
  for (const { name, bytes } of bufferArrays(plan)) {
    text.declare(`$at_${name}`, place);
    text.declare(`$n_${name}`, `$at_${name}${bytes === 8 ? ' >>> 1' : ''}`);
    place = `$at_${name} + ${bytes / 4} * $capacity`;
  }
  text.declareFields('$inOwn_', plan.central, slotNames.central);
  text.declareFields('$inOther_', plan.neighbor, slotNames.neighbor);
  text.declareFields('$inLooked_', plan.looked, names.looked);
  for (const { place, field, central, scattered } of plan.outputs) {
    if (!place) continue;
    const from = (word: string) =>
      `(${text.index(word, viewShift(place.storage))}) + ${place.component}`;
    const own = () => text.slot(names.output(place.block), 'address');
    if (central !== 'none') text.declare(`$out_${field}`, from(own()));
    const block = plan.scatterBlocks.indexOf(place.block);
    const given = threadWord(threadSlots.outputs + 4 * block);
    if (scattered === 'kept') text.declare(`$outOther_${field}`, from(given));
  }
  text.declareParameters(plan.parameters);
  return text.lines;
}
