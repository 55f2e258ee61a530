/** A checksum that is computed piece by piece. */
export interface Hash {
  update(bytes: Uint8Array): Hash;
  digest(): Uint8Array;
}

/** Random bytes; `toString('hex')` as the buffers of Node have it. */
export function randomBytes(count: number): { toString(encoding: 'hex'): string } {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return {
    toString: () => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}

/** SHA-256 (FIPS 180-4). The checksum of the page's own cryptography takes all bytes at once, and does not answer in time. */
export function createHash(_name: 'sha256'): Hash {
  const state = Int32Array.from(INITIAL);
  const block = new Uint8Array(64);
  const view = new DataView(block.buffer);
  let length = 0;
  const hash: Hash = {
    update(bytes) {
      let used = length % 64;
      length += bytes.length;
      for (let at = 0; at < bytes.length; ) {
        const count = Math.min(64 - used, bytes.length - at);
        block.set(bytes.subarray(at, at + count), used);
        used += count;
        at += count;
        if (used === 64) {
          compress(state, view);
          used = 0;
        }
      }
      return hash;
    },
    digest() {
      const bits = 8 * length;
      const end = new Uint8Array(((119 - (length % 64)) % 64) + 9);
      end[0] = 0x80;
      const tail = new DataView(end.buffer);
      tail.setUint32(end.length - 8, Math.floor(bits / 2 ** 32));
      tail.setUint32(end.length - 4, bits % 2 ** 32);
      hash.update(end);
      const out = new Uint8Array(32);
      const words = new DataView(out.buffer);
      state.forEach((word, k) => {
        words.setInt32(4 * k, word);
      });
      return out;
    },
  };
  return hash;
}

const w = new Int32Array(64);

function compress(state: Int32Array, block: DataView): void {
  for (let k = 0; k < 16; k++) w[k] = block.getInt32(4 * k);
  for (let k = 16; k < 64; k++) {
    const [x, y] = [w[k - 15]!, w[k - 2]!];
    const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[k] = w[k - 16]! + s0 + w[k - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  for (let k = 0; k < 64; k++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + CONSTANTS[k]! + w[k]!) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, k) => {
    state[k]! += value;
  });
}

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const primes = Array.from({ length: 312 }, (_, k) => k).filter(
  (n) => n > 1 && !Array.from({ length: n - 2 }, (_, k) => k + 2).some((d) => n % d === 0),
);
const CONSTANTS = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)));
const INITIAL = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
