import { dimensions, type UnitSystem } from '@corpuscle/core';
import type { FrameUnits } from './FrameFormat.js';

/** Units of a format in those of a run; plain numbers (`lj`) are written and read as they are. */
export function unitFactors(units: UnitSystem, format: FrameUnits | undefined) {
  if (!format || units.isReduced) return { length: 1, time: 1 };
  return {
    length: units.parse(`1 ${format.length}`, dimensions.length),
    time: units.parse(`1 ${format.time}`, dimensions.time),
  };
}
