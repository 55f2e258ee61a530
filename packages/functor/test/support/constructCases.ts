import { real, i32 as toI32, u32 as toU32 } from '../../src/conversions.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { RandomSource } from './RandomSource.js';

/** Fields: i.s, i.t sums; i.w any write; i.n ints. */
const declaration = {
  central: { s: 'real', t: 'real', w: 'real', n: 'i32' },
  read: { q: 'real', type: 'u32' },
  neighbor: { q: 'real', type: 'u32', k: 'i32' },
  params: { a: 'real', lim: 'real', n: 'i32', table: 'real[]', marks: 'i32[]' },
  helpers: {
    early: (x: number) => {
      if (x < 0) return -x;
      if (x > 1) return 1 / x;
      return x * x;
    },
    count: (x: number, n: number) => {
      let y = x;
      let k = 0;
      while (y > 0.1) {
        y *= 0.5;
        k += 1;
        if (k > n) return y;
      }
      return k;
    },
    both: (x: number, y: number) => {
      if (x > y) return [x - y, 1];
      return [y - x, -1];
    },
    own: (x: number) => {
      // Assigns its own parameter.
      for (let k = 0; k < 3; k++) x = x * 0.5 + k;
      return x;
    },
  },
} as const;

// The functions below are only ever compiled and called with records of these fields.
export interface Fields {
  [field: string]: number;
}
type Params = { a: number; lim: number; n: number; table: Float64Array; marks: Int32Array };
interface Helpers {
  early(x: number): number;
  count(x: number, n: number): number;
  both(x: number, y: number): number[];
  own(x: number): number;
  i32(x: number | boolean): number;
  real(x: number | boolean): number;
  u32(x: number | boolean): number;
}
type Body = (i: Fields, j: Fields, d: Fields, p: Params, h: Helpers) => void;

/** Bodies that use what the language has; the same functions are called directly. */
export const constructCases: Record<string, Body> = {
  'early return': (i, _j, d, p) => {
    if (d.r2! > p.lim) return;
    i.s! += d.x!;
    if (d.x! > 0) {
      i.t! += 1;
      return;
    }
    i.s! -= d.y!;
  },
  'return inside a uniform branch of a varying one': (i, _j, d, p) => {
    if (d.x! > 0) {
      if (p.n > 2) {
        i.t! += 1;
        return;
      }
      i.t! += 2;
    }
    i.s! += 1;
  },
  'uniform counter after a divergent return': (i, _j, d, p) => {
    if (d.r2! > p.lim) return;
    let sum = 0;
    for (let k = 0; k < p.n; k++) sum += p.table[k & 3]! * d.x!;
    i.s! += sum;
  },
  'loop with varying condition': (i, _j, d) => {
    let x = d.r2!;
    let turns = 0;
    while (x > 0.01) {
      x *= 0.7;
      turns++;
    }
    i.s! += turns;
    i.t! += x;
  },
  'counter of a loop that lanes leave at different turns': (i, _j, d, p) => {
    let sum = 0;
    for (let k = 0; k < d.r2!; k++) {
      if (d.x! > k) continue;
      for (let m = k + 1; m < d.r2!; m++) sum += p.table[m & 3]! * d.x! + k;
    }
    i.s! += sum;
  },
  'counter that is looked at after its loop': (i, _j, d, p) => {
    let k = 1;
    for (; k < d.r2!; k++) i.t! += p.table[k & 3]!;
    i.s! += k;
    for (let m = 0; m < d.r2!; m++) {
      if (d.y! > m) m++;
      i.s! += m * d.x!;
    }
  },
  'break and continue on some lanes': (i, _j, d, p) => {
    let sum = 0;
    for (let k = 0; k < 12; k++) {
      sum += 0.25;
      if (d.x! * k > 3) break;
      if (d.y! * k > 1) continue;
      sum += k;
      if (p.n < k) break;
      sum -= d.z!;
    }
    i.s! += sum;
  },
  'uniform break after a divergent continue': (i, _j, d) => {
    let sum = 0;
    let k = 0;
    while (k < 9) {
      k++;
      if (d.x! + k > 4) continue;
      sum += k;
      if (k === 3) break;
    }
    i.s! += sum;
    i.t! += k;
  },
  'return from nested loops': (i, _j, d) => {
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < 4; b++) {
        i.s! += 1;
        if (a * b > d.r2!) return;
        if (d.x! > b) continue;
        i.t! += a;
        if (d.y! > a) break;
      }
      i.t! += 0.5;
    }
    i.s! += 100;
  },
  'variables assigned on one side': (i, _j, d, p) => {
    let x = 1;
    let flag = false;
    if (d.x! > d.y!) {
      x = p.a;
      flag = d.z! > 0;
    } else if (d.z! > 0) x = d.z!;
    if (flag || x > 1) i.s! += x;
    else i.t! += x;
  },
  'reads see writes': (i, _j, d) => {
    i.w = d.x!;
    if (i.w > 0) i.w = i.w * 2;
    i.w -= i.t!;
    i.n = i.n! + 3;
  },
  'helpers with several returns': (i, _j, d, p, h) => {
    i.s! += h.early(d.x!) + h.early(h.early(d.y!));
    i.t! += d.x! > 0 ? h.count(d.r2!, p.n) : h.count(d.z! + 3, 2);
    const [gap, side] = h.both(d.x!, d.y!);
    i.s! += gap! * side! + h.own(d.z!) + h.own(p.a);
  },
  'lazy sides of && and ||': (i, j, d, p, h) => {
    if (j.k! >= 0 && j.k! < 4 && p.table[j.k!]! > 0) i.s! += 1;
    if (d.x! < 0 || h.count(d.x!, 20) > 2) i.t! += 1;
    if (p.n > 3 || p.table[p.n]! > 0) i.s! += 2;
  },
  'local arrays': (i, j, d, p, h) => {
    const a = [d.x!, d.y!, d.z!, 1, 2, 3];
    const b = [0, 0, 0];
    const flags = [false, true, d.x! > 0, false, false];
    const whole = [h.i32(1), h.i32(2), h.i32(3), h.i32(4), h.i32(5), h.i32(6)];
    for (let k = 0; k < 6; k++) a[k] = a[k]! * 2 + k;
    const at = j.k! & 3;
    a[at] = a[at]! + 1;
    if (d.y! > 0) a[at + 1] = p.a;
    b[at % 3] = a[2]!;
    flags[at] = d.z! > 0;
    whole[at] = h.i32(whole[5]! + at);
    for (let k = 0; k < 6; k++) i.s! += a[k]! * (k + 1) + whole[k]!;
    i.t! += b[0]! + 2 * b[1]! + 3 * b[2]!;
    if (flags[at]) i.t! += 100;
    if (flags[3]) i.t! += 1000;
  },
  // One conversion a statement: sums of ints would wrap, as documented, where the direct call does not.
  ints: (i, j, _d, p, h) => {
    const k = j.k!;
    i.n = (k % 3) + (k % (p.n - 5)) + Math.abs(k) * Math.sign(k);
    i.n = i.n! + Math.min(k, 2) - Math.max(k, p.n) + ((k % (p.n - p.n)) | 0);
    i.w = h.i32(k << 3) + h.i32(k >> (j.type! & 7)) + h.i32(~k & 6);
    i.s! += h.real(k >>> 28);
    i.s! += h.real((j.type! << 30) >> 28);
    i.s! += h.real(Math.imul(k, 0x10001));
    i.t! += h.real(h.i32(p.a * k));
    i.t! += h.real(h.u32(p.a * k));
    i.t! += h.real(h.i32(k > 0));
    i.t! += h.real(h.i32(1e10 * k));
  },
  unsigned: (i, j, _d, _p, h) => {
    const u = h.u32(j.type! + 7);
    i.s! += h.real(u % 5);
    i.s! += h.real(u ^ 5);
    i.s! += h.u32(4e9) / 3 + (u > 8 ? 1 : 0);
    i.t! += h.real(Math.min(u, h.u32(9)));
    i.t! += h.real(Math.max(u, h.u32(3e9)));
    i.t! += h.real(h.i32(h.u32(h.real(u) + 4e9)));
    i.t! += h.real(h.u32(h.i32(-1 - j.k!)));
  },
  math: (i, _j, d, p) => {
    i.s! += Math.sqrt(d.r2!) + Math.round(d.x!) + Math.sign(d.y!) + Math.hypot(d.x!, d.y!, d.z!);
    i.s! +=
      Math.exp(-d.r2!) + Math.log(d.r2! + 1) + Math.sin(d.x!) * Math.cos(d.y!) + Math.tanh(d.z!);
    i.t! += Math.min(d.x!, d.y!, p.a) + Math.max(d.x!, 0) + Math.floor(d.z!) + Math.ceil(d.z!);
    i.t! += Math.trunc(d.x!) + Math.fround(d.y!) + (d.x! % 0.3) + d.r2! ** 6 + d.r2! ** 1.7;
    i.s! += (d.x! + 3) ** -3 + p.a ** 5 + d.y! ** 1 + (d.z! + 4) ** 16 * 1e-9;
    i.w = Math.exp(p.a) + p.a ** d.x! + Math.round(p.a) + (p.a % 0.4);
  },
  'heavy branches': (i, _j, d) => {
    if (d.x! > 0.5) i.s! += Math.exp(d.x!) ** 1.5;
    else i.t! += Math.tanh(Math.sin(d.y!));
    i.w = d.z! > 0 ? Math.exp(d.z!) + Math.log(d.z!) : Math.cos(d.z!);
  },
  'comparison of truth values': (i, _j, d, p) => {
    const left = d.x! > 0;
    const right = p.a > 0;
    if (left === right) i.s! += 1;
    if (left !== d.y! > 0) i.t! += 1;
    if (!left && !right) i.s! += 4;
  },
};

export const params: Params = {
  a: 0.7,
  lim: 2,
  n: 4,
  table: Float64Array.of(0.25, -1.5, 2, 0.125),
  marks: Int32Array.of(3, -1, 4, 1),
};
export const tables = { 'p.table': params.table, 'p.marks': params.marks };
export const helpers: Helpers = { ...declaration.helpers, i32: toI32, u32: toU32, real };

export const functorOf = (name: string, fn: Body) =>
  pairFunctor({ name: name.replaceAll(/\W+/g, '_'), ...declaration } as never, fn as never);

/** Random arguments of calls, for lanes that may share the central particle. */
export function samples(uniformCentral: boolean, lanes: number) {
  const random = new RandomSource(5);
  const central = () => ({
    s: 0.5,
    t: -0.25,
    w: 1.5,
    n: random.below(9) - 4,
    q: random.between(-1, 1),
    type: random.below(3),
  });
  let i = central();
  return Array.from({ length: 24 }, (_, k) => {
    if (!uniformCentral || k % lanes === 0) i = central();
    const [x, y, z] = [
      random.between(-2, 2),
      random.between(-2, 2),
      random.between(-2, 2),
    ] as const;
    return {
      i: { ...i },
      j: { q: random.between(-1, 1), type: random.below(4), k: random.below(11) - 5 },
      d: { x, y, z, r2: x * x + y * y + z * z },
      p: { a: params.a, lim: params.lim, n: params.n },
    };
  });
}
