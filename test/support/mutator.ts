/** Damages a file, in the same way for the same seed. */
export type Mutate = (good: Buffer, seed: number) => Buffer;

/** Words that readers may stumble over. */
const WORDS = [
  '-1',
  '0',
  '1e309',
  'nan',
  'inf',
  '1e-320',
  '99999999999',
  '9007199254740993',
  '4294967296',
  '5000000000',
  '0x10',
  '"',
  '{',
  '}',
  '[',
  ']',
  '=',
  ':',
  '*a',
  '&a',
  '<<',
  '\n',
  '\r\n',
  '\t',
  '#',
  '\u00e9',
  '\ufeff',
  '\u0000',
  'constructor',
  '__proto__',
  'R:5000000000',
  '- - - ',
] as const;
const INTEGERS = [-1, 0, 1, 0x7fffffff, -0x80000000, 0x00ffffff, 1e9] as const;

/** One to four damages: bits, words, integers, cuts, repeats and moves. */
export const mutator: Mutate = (good, seed) => {
  // xorshift32
  let state = (seed * 2654435761) >>> 0 || 1;
  const below = (n: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % Math.max(1, n);
  };
  let bytes = Buffer.from(good);
  for (let k = below(4); k >= 0; k--) {
    const at = below(bytes.length);
    const end = Math.min(bytes.length, at + 1 + below(1 << below(8)));
    switch (below(7)) {
      case 0:
        if (bytes.length > 0) bytes[at]! ^= 1 << below(8);
        break;
      case 1:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(WORDS[below(WORDS.length)]!),
          bytes.subarray(at),
        ]);
        break;
      case 2:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(WORDS[below(WORDS.length)]!),
          bytes.subarray(end),
        ]);
        break;
      case 3:
        if (at + 4 <= bytes.length) bytes.writeInt32LE(INTEGERS[below(INTEGERS.length)]!, at);
        break;
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
        break;
      default:
        if (below(4) === 0) bytes = Buffer.from(bytes.subarray(0, at));
        else if (at + 4 <= bytes.length) bytes.writeInt32BE(INTEGERS[below(INTEGERS.length)]!, at);
    }
  }
  return bytes;
};
