import { CorpuscleError } from '@corpuscle/core';

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

/**
 * The frames that an option asks for; numbers from the end need all to be counted first.
 * @throws CorpuscleError INVALID_VALUE for anything else, and where no frame can be one of them.
 */
export async function frameRange(
  text: string,
  option: string,
  frames: () => AsyncIterable<unknown>,
): Promise<FrameRange> {
  const range = parseFrameRange(text);
  if (!range)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${option} ${text} is not a:b:c: from frame a (0 is the first) to before b, every c-th`,
    );
  const none = (of = '') =>
    new CorpuscleError('INVALID_VALUE', `${option} ${text} asks for no frame${of}`);
  if (range.begin >= 0 && range.end >= 0) {
    if (range.end <= range.begin) throw none(': b must be more than a');
    return range;
  }
  let count = 0;
  for await (const _ of frames()) count++;
  const fromEnd = (index: number) => (index < 0 ? Math.max(0, index + count) : index);
  const [begin, end] = [fromEnd(range.begin), Math.min(count, fromEnd(range.end))];
  if (end <= begin) throw none(` of the ${count} that there are`);
  return { ...range, begin, end };
}
