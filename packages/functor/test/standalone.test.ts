import { describe, expect, it } from 'vitest';
import { cellFunctor } from '../src/cellFunctor.js';
import { mathImports } from '../src/lower/wasm/mathImports.js';
import { cellToWasm } from '../src/standalone/cellToWasm.js';

const BASE = 65536;

const mixed = cellFunctor(
  {
    name: 'mixed',
    fields: { x: 'real', n: 'i32', m: 'u32' },
    read: { v: 'real' },
    params: { a: 'real', k: 'i32' },
  },
  (i, p, h) => {
    if (i.v > 0) {
      i.x += p.a * i.v;
      i.n = (i.n + p.k) | 0;
    } else i.x -= Math.sqrt(-i.v);
    i.m = (h.random(i.m, 1, 2)[0] ^ i.n) >>> 0;
  },
);

describe('a cell functor as a module of its own', () => {
  it.each([0, 1, 2, 7, 64])('computes %i elements as direct calls do', (count) => {
    const memory = new WebAssembly.Memory({ initial: 2 });
    const { bytes, arguments: names } = cellToWasm(mixed);
    expect(names).toEqual(['count', 'x', 'n', 'm', 'v', 'a', 'k']);
    const imports = { env: { memory }, math: mathImports } as WebAssembly.Imports;
    const instance = new WebAssembly.Instance(
      new WebAssembly.Module(bytes as BufferSource),
      imports,
    );
    const [x, v] = [0, 1].map((k) => new Float64Array(memory.buffer, BASE + 1024 * k, 65));
    const n = new Int32Array(memory.buffer, BASE + 2048, 65);
    const m = new Uint32Array(memory.buffer, BASE + 3072, 65);
    const particles = Array.from({ length: 65 }, (_, k) => {
      return { x: k / 3, v: Math.sin(k), n: k - 3, m: 5 * k };
    });
    x!.set(particles.map((i) => i.x));
    v!.set(particles.map((i) => i.v));
    n.set(particles.map((i) => i.n));
    m.set(particles.map((i) => i.m));
    const run = instance.exports.run as (...args: number[]) => void;
    run(count, BASE, BASE + 2048, BASE + 3072, BASE + 1024, 0.25, 9);
    for (const i of particles.slice(0, count)) mixed.invoke(i, { a: 0.25, k: 9 });
    particles.forEach((i, k) => {
      expect([x![k], n[k], m[k], v![k]]).toEqual([i.x, i.n, i.m, i.v]);
    });
  });

  it('refuses tables, and functors without a representation', () => {
    const table = cellFunctor(
      { name: 'table', fields: { x: 'real' }, params: { t: 'real[]' } },
      (i, p) => {
        i.x = p.t[0]!;
      },
    );
    expect(() => cellToWasm(table)).toThrow(/'t' is a table/);
    const free = cellFunctor(
      { name: 'free', fields: { x: 'real' }, traits: { gpu: false } },
      (i) => {
        i.x = Number(String(i.x));
      },
    );
    expect(() => cellToWasm(free)).toThrow(/functor 'free'/);
  });
});
