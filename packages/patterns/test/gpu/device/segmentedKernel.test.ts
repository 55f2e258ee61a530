import { describe, expect, it } from 'vitest';
import type { KernelSource } from '../../../src/gpu/device/GpuKernel.js';
import { moreBindings, segmentedKernel } from '../../../src/gpu/device/segmentedKernel.js';

const source = (body: string): KernelSource => ({
  label: 'test',
  workgroupSize: 64,
  buffers: [
    { name: 'a', type: 'array<vec4f>', access: 'read_write' },
    { name: 'b', type: 'array<u32>', access: 'read' },
    { name: 'c', type: 'array<atomic<u32>>', access: 'read_write' },
  ],
  params: {},
  body,
});

/** Segments of 64 rows of vectors: `a` in three, `c` in two. */
const inSegments = (body: string) => segmentedKernel(source(body), [3, 1, 2], 1024);

describe('a kernel with large buffers in segments', () => {
  it('binds each segment, and says which rows it has', () => {
    const { buffers } = inSegments('let x = a[0];');
    expect(buffers.map(({ name }) => name)).toEqual(['a_0', 'a_1', 'a_2', 'b', 'c_0', 'c_1']);
    expect(buffers[2]).toMatchObject({ type: 'array<vec4f>', holds: 'rows from 128 on' });
    expect(buffers[5]).toMatchObject({ access: 'read_write', holds: 'rows from 256 on' });
  });

  it('reads by a function that chooses the segment, also within an index', () => {
    const { body, declarations } = inSegments('let x = a[b[a_[1]] + u32(a[k].w)].xyz;');
    expect(body).toBe('let x = a_at(u32(b[a_[1]] + u32(a_at(u32(k)).w))).xyz;');
    expect(declarations).toBe(`
fn a_at(i: u32) -> vec4f {
  if (i < 64u) { return a_0[i]; } else if (i < 128u) { return a_1[i - 64u]; } else { return a_2[i - 128u]; }
}`);
  });

  it.each([
    ['a row', 'a[i + 1] = a[i];', 'a_set(u32(i + 1), a_at(u32(i)));'],
    ['a comparison, which stores nothing', 'if (a[i].x == y) { }', 'if (a_at(u32(i)).x == y) { }'],
    [
      'a member, with an operator',
      'a[i].x += y;',
      'if (u32(i) < 64u) { a_0[u32(i)].x += y; } else if (u32(i) < 128u) { a_1[u32(i) - 64u].x += y; } else { a_2[u32(i) - 128u].x += y; }',
    ],
    [
      'atomics',
      'atomicStore(&c[i], atomicExchange(&c[j], k)); let n = atomicLoad(&c[m]);',
      'c_atomicStore(u32(i), c_atomicExchange(u32(j), k)); let n = c_atomicLoad(u32(m));',
    ],
  ])('stores %s', (_, body, expected) => {
    expect(inSegments(body).body).toBe(expected);
  });

  it('leaves members and other names alone', () => {
    expect(inSegments('let x = s.a[0] + ba[1] + b[2];').body).toBe(
      'let x = s.a[0] + ba[1] + b[2];',
    );
  });
});

describe('bindings of large buffers', () => {
  it('are one more for rows beyond a segment; lists and records have none of particles', () => {
    const buffers = [
      { name: 'b_position', type: 'array<vec4u>' },
      { name: 'b_mass', type: 'array<f32>' },
      { name: 'reference', type: 'array<vec4u>' },
      { name: 'entries', type: 'array<vec4u>' },
      { name: 'scratch', type: 'array<atomic<u32>>' },
    ].map((buffer) => ({ ...buffer, access: 'read' as const }));
    const segment = 2 ** 31 - 256;
    expect(moreBindings(buffers, 100e6, segment)).toBe(0);
    expect(moreBindings(buffers, 200e6, segment)).toBe(3);
  });
});
