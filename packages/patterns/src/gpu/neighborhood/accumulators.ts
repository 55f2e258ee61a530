/**
 * Accumulators of reals that many threads add to: whole numbers of six words, in units of 2^-112, two's complement. Sums are
 * exact, and so the same in whatever order threads come. A float has 24 bits and touches two words, a double-single number
 * three; carries go on while there are any. A word of all rows lies together, so that threads of a wave, which add to rows close to
 * each other and numbers of like size, share memory transactions.
 *
 *   word       0         1         2         3         4         5
 *   bit   2^-112 … 2^-80 … 2^-48 … 2^-16 … 2^16 … 2^48 … 2^80, the sign
 *
 * A contribution of 2^60 and more, an infinite one and NaN mark the row: what it receives is NaN then, never a wrong number.
 * Below that half a million of them cannot overflow.
 */
export const REAL_WORDS = 6;

const UNIT = -112;
const LARGEST = 60;

/** What the first word of a row says. */
export const MARKS = { doesNotFit: 1, notFinite: 2 } as const;

/**
 * `shareOf(row, at, x)`: what a real adds to the accumulator whose first word is `at`, its low part at most half a unit in the
 * last place of the high one: three words from `first` on, of which the first is 0 where x is a float. As a whole number,
 * |x| = (high · 2^32 + low) · 2^(e - 182), e the biased exponent of the high part.
 *
 * `addWord` adds one of the words with the carry from the one before, and gives what was there; `carryFrom` is the carry to the
 * next one, and `scatterCarry` sends the last one on. None of it branches, and the words of several shares are added in turn: a
 * thread waits once for all of them.
 */
export const scatterRealWgsl = `
struct Share { at: u32, first: u32, words: vec3u, negative: bool }
fn shareOf(row: u32, at: u32, x: vec2f) -> Share {
  let size = bitcast<u32>(x.x) & 0x7fffffffu;
  let e = i32(size >> 23u);
  if (e >= ${127 + LARGEST}) { atomicOr(&scattered[row], ${MARKS.notFinite}u); }
  if (e == 0 || e >= ${127 + LARGEST}) { return Share(at, 0u, vec3u(0u), false); }
  let negative = x.x < 0.0;
  var high = (size & 0x7fffffu) | 0x800000u;
  var low = 0u;
  let tail = bitcast<u32>(x.y) & 0x7fffffffu;
  if (tail >= 0x800000u) {
    let by = i32(tail >> 23u) - e + 32;
    low = (((tail & 0x7fffffu) | 0x800000u) << u32(max(by, 0))) >> u32(clamp(-by, 0, 31));
    if (negative != (x.y < 0.0) && low != 0u) {
      high -= 1u;
      low = ~low + 1u;
    }
  }
  let place = e - ${182 + UNIT};
  if (place < 0) {
    // Below the unit nothing is kept. The word before the first one gets a zero.
    let beyond = u32(-place);
    if (beyond >= 32u) { return Share(at, ~0u, vec3u(0u, high >> min(beyond - 32u, 31u), 0u), negative); }
    let rest = (low >> beyond) | (high << (32u - beyond));
    return Share(at, ~0u, vec3u(0u, rest, high >> beyond), negative);
  }
  let shift = u32(place) & 31u;
  let words = vec3u(
    low << shift,
    (high << shift) | ((low >> 1u) >> (31u - shift)),
    (high >> 1u) >> (31u - shift),
  );
  return Share(at, u32(place) >> 5u, words, negative);
}
fn addWord(share: Share, k: u32, value: u32) -> u32 {
  let word = share.at + (share.first + k) * P.count;
  return atomicAdd(&scattered[word], select(value, ~value + 1u, share.negative));
}
fn carryFrom(share: Share, before: u32, value: u32, carry: u32) -> u32 {
  let over = select(before > ~value, before < value, share.negative);
  return select(0u, 1u, over || value < carry);
}
fn scatterCarry(share: Share, carry: u32) {
  var left = carry;
  for (var k = 3u; left != 0u && share.first + k < ${REAL_WORDS}u; k++) {
    left = carryFrom(share, addWord(share, k, 1u), 1u, 0u);
  }
}`;

/** `received(row, at)`: the number in the accumulator whose first word is `at`, from the smallest word up. */
export const receivedWgsl = `
fn received(row: u32, at: u32) -> vec2f {
  if ((scattered[row] & ${MARKS.notFinite}u) != 0u) { return vec2f(ds_nan(), 0.0); }
  let negative = scattered[at + ${REAL_WORDS - 1}u * P.count] >= 0x80000000u;
  var carry = select(0u, 1u, negative);
  var sum = vec2f(0.0, 0.0);
  for (var k = 0u; k < ${REAL_WORDS}u; k++) {
    var word = scattered[at + k * P.count];
    if (negative) {
      word = ~word + carry;
      carry = select(0u, carry, word == 0u);
    }
    let unit = bitcast<f32>((${127 + UNIT}u + 32u * k) << 23u);
    sum = ds_add(sum, ds_from_u32(word) * unit);
  }
  return select(sum, -sum, negative);
}
`;
