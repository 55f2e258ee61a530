import { afterEach, describe, expect, it, vi } from 'vitest';
import { paramWriter } from '../../../src/gpu/device/paramWriter.js';

const record = () => {
  const u32 = new Uint32Array(12);
  return { u32, f32: new Float32Array(u32.buffer) };
};

afterEach(() => {
  vi.unstubAllGlobals();
});

function forbidText(): void {
  vi.stubGlobal('Function', function refuse() {
    throw new EvalError('refused by the Content-Security-Policy');
  });
}

describe.each([
  ['made from text', () => {}],
  ['where a page forbids code from text', forbidText],
])('writers of parameters %s', (_, prepare) => {
  it('puts every parameter where the record has it, after its first word', () => {
    prepare();
    const write = paramWriter('k', [
      { name: 'box', type: 'vec4f', word: 0 },
      { name: 'cells', type: 'vec4i', word: 4 },
      { name: 'dt', type: 'f32', word: 8 },
      { name: 'count', type: 'u32', word: 9 },
      { name: 'shift', type: 'i32', word: 10 },
    ]);
    const { f32, u32 } = record();
    write(f32, u32, 1, { box: [1, 2, 3], cells: [-1, 7], dt: 0.5, count: 4e9, shift: -2 });
    expect([...f32.subarray(1, 4), f32[9]]).toEqual([1, 2, 3, 0.5]);
    expect([u32[5], u32[6], u32[10], u32[11]]).toEqual([2 ** 32 - 1, 7, 4e9, 2 ** 32 - 2]);
  });

  it('splits a number that is a vector of two floats', () => {
    prepare();
    const { f32, u32 } = record();
    paramWriter('k', [{ name: 'dt', type: 'vec2f', word: 2 }])(f32, u32, 0, { dt: 0.1 });
    expect(f32[2]).toBe(Math.fround(0.1));
    expect(f32[2]! + f32[3]!).toBeCloseTo(0.1, 14);
  });

  it('knows one parameter by itself and misses any other', () => {
    prepare();
    const { f32, u32 } = record();
    const slots = [
      { name: 'one', type: 'f32', word: 0 },
      { name: 'b"`', type: 'f32', word: 1 },
    ] as const;
    paramWriter('k', slots)(f32, u32, 0, { 'b"`': 3 });
    expect([f32[0], f32[1]]).toEqual([1, 3]);
    expect(() => paramWriter('k', slots)(f32, u32, 0, {})).toThrow('k: parameter b"` has no value');
  });
});
