import type { KernelSource, ParamSlot, ParamType } from './GpuKernel.js';

/** Records of parameters begin at multiples of this, which every device allows. */
export const PARAM_ALIGNMENT = 256;

/** Bytes of a parameter. */
export const bytesOf = (type: ParamType): number =>
  type.startsWith('vec') ? 4 * Number(type[3]) : 4;

/** Places of parameters in their record: longest first, so that no member needs padding. */
export function paramSlots(params: KernelSource['params']): ParamSlot[] {
  const entries = Object.entries(params);
  const ordered = [16, 8, 4].flatMap((bytes) =>
    entries.filter(([, type]) => bytesOf(type) === bytes),
  );
  let word = 0;
  return ordered.map(([name, type]) => {
    const slot = { name, type, word };
    word += bytesOf(type) / 4;
    return slot;
  });
}
