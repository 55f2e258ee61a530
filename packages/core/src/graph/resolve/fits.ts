import { sameDimension } from '../../units/dimensions.js';
import type { ValueSpec } from '../SlotSpec.js';

/** Whether a value of spec `from` may flow into a slot of spec `to`. */
export function fits(from: ValueSpec, to: ValueSpec, isReduced = false): boolean {
  if (from.type === 'any_of') return from.options.every((option) => fits(option, to, isReduced));
  if (to.type === 'any_of') return to.options.some((option) => fits(from, option, isReduced));
  const isNumber = (spec: ValueSpec) =>
    spec.type === 'number' || spec.type === 'integer' || spec.type === 'quantity';
  if (isNumber(from) && isNumber(to)) {
    if (to.type === 'integer' && from.type !== 'integer') return false;
    const dimension = (spec: ValueSpec) => (spec.type === 'quantity' ? spec.dimension : {});
    return isReduced || sameDimension(dimension(from), dimension(to));
  }
  return from.type === to.type || (from.type === 'enum' && to.type === 'string');
}
