import { cellFunctor } from '../../src/cellFunctor.js';

/** Random123 1.14, tests/kat_vectors, lines "philox4x32 10": counter, key, words. */
export const knownAnswers = [
  [
    [0, 0, 0, 0],
    [0, 0],
    [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8],
  ],
  [
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
    [0xffffffff, 0xffffffff],
    [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd],
  ],
  [
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344],
    [0xa4093822, 0x299f31d0],
    [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
  ],
] as const;

const read = {
  c0: 'u32',
  c1: 'u32',
  c2: 'u32',
  c3: 'u32',
  k0: 'u32',
  k1: 'u32',
} as const;

/** The counter and the key are fields, so are the words. */
export const randomWords = cellFunctor(
  { name: 'random_words', fields: { wa: 'u32', wb: 'u32', wc: 'u32', wd: 'u32' }, read },
  (i, _p, h) => {
    const [a, b, c, d] = h.random(i.c0, i.c1, i.c2, i.k0, i.k1, i.c3);
    i.wa = a;
    i.wb = b;
    i.wc = c;
    i.wd = d;
  },
);

/** Numbers for a particle, a step and a stream. */
export const uniforms = cellFunctor(
  { name: 'uniforms', fields: { ua: 'real', ub: 'real', uc: 'real', ud: 'real' }, read },
  (i, _p, h) => {
    const [a, b, c, d] = h.uniform(i.c0, i.c1, i.c2, i.k0);
    i.ua = a;
    i.ub = b;
    i.uc = c;
    i.ud = d;
  },
);

export const normals = cellFunctor(
  { name: 'normals', fields: { ua: 'real', ub: 'real', uc: 'real', ud: 'real' }, read },
  (i, _p, h) => {
    const [a, b, c, d] = h.normal(i.c0, i.c1, i.c2, i.k0);
    i.ua = a;
    i.ub = b;
    i.uc = c;
    i.ud = d;
  },
);
