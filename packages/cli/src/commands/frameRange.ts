/** Frames from `begin` to before `end`, every `stride`-th; negative ones count from the end. */
export interface FrameRange {
  readonly begin: number;
  readonly end: number;
  readonly stride: number;
}

/** `a:b:c`, `a:b`, or `a` for one frame, where parts may be empty; null for anything else. */
export function parseFrameRange(text: string): FrameRange | null {
  const parts = text.replaceAll('−', '-').split(':');
  if (parts.length > 3 || !parts.every((part) => /^(-?\d{1,15})?$/.test(part))) return null;
  const [first = '', last = '', every = ''] = parts;
  const stride = every === '' ? 1 : Number(every);
  if (stride < 1) return null;
  const begin = first === '' ? 0 : Number(first);
  if (parts.length === 1) {
    if (first === '') return null;
    // The frame after −1 is the end, whatever its number.
    return { begin, end: begin === -1 ? Number.POSITIVE_INFINITY : begin + 1, stride };
  }
  return { begin, end: last === '' ? Number.POSITIVE_INFINITY : Number(last), stride };
}
