import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputFolder } from '@corpuscle/core';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../../../../../test/support/frames.js';
import { askPython, pythonWith } from '../../../../../test/support/oracles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { outputTarget } from '../frames/outputTarget.js';
import { h5md } from './h5md.js';
import { h5mdWriter } from './h5mdWriter.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-h5md-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
/** A name that no earlier case has used. */
const next = () => join(folder, `${files++}.h5md`);

const all = ['velocity', 'force', 'energy', 'charge', 'molecule', 'image'] as const;
const series = fc.array(anyFrame({ columns: all, ids: 5, minimum: 2 }), {
  minLength: 1,
  maxLength: 4,
});

/** What a file keeps: nothing is lost but where texts stood. */
const kept = ({ extra, bonds, ...frame }: ParticleFrame) => ({
  ...frame,
  extra: new Map(extra),
  bonds: bonds ?? null,
  time: frame.time,
});

describe('an H5MD file', () => {
  it('reads back to the same bits, also where the number of particles changes', async () => {
    await fc.assert(
      fc.asyncProperty(series, async (frames) => {
        const bonds = [{ ids: [frames[0]!.id![0]!, frames[0]!.id![1]!] as const, kind: 2 }];
        const extra = new Map(
          Object.entries({
            stress: {
              type: 'R',
              width: 6,
              values: new Float64Array(6 * frames[0]!.count).fill(0.1),
            } as const,
          }),
        );
        const given = frames.map((frame, k) => ({
          ...frame,
          ...(k === 0 && { bonds }),
          time: k / 3,
          extra: new Map(
            [...extra].map(([name, column]) => [
              name,
              {
                ...column,
                values: Float64Array.from({ length: 6 * frame.count }, (_, c) => Math.cos(c)),
              },
            ]),
          ),
          origin: [-0.1, k, 1e-300] as const,
        }));
        const file = next();
        await writeFrames(h5md, file, given);
        const { frames: back, notes } = await readFrames(h5md, file);
        expect(notes).toEqual([]);
        expect(back.map(kept)).toEqual(given.map((frame) => kept({ ...frame, bonds })));
      }),
      { numRuns: 15 },
    );
  });

  it('has the nearest f32 with single precision', async () => {
    const [frame] = fc.sample(anyFrame({ columns: ['velocity'] }), { numRuns: 1, seed: 4 });
    const output = new OutputFolder(folder, { use: 'shared' });
    const writer = h5mdWriter(outputTarget(output, 'single.h5md'), { precision: 'single' });
    await writer.write(frame!);
    await writer.close();
    const [back] = (await readFrames(h5md, join(folder, 'single.h5md'))).frames;
    expect(back!.position).toEqual(frame!.position.map(Math.fround));
    expect(back!.velocity).toEqual(frame!.velocity!.map(Math.fround));
  });

  it('goes on after a restart, without the frames that came after', async () => {
    const [frames] = fc.sample(
      fc.array(anyFrame({ columns: ['velocity'], minimum: 3 }), { minLength: 6, maxLength: 6 }),
      { numRuns: 1, seed: 3 },
    );
    const output = new OutputFolder(folder, { use: 'shared' });
    const first = h5mdWriter(outputTarget(output, 'on.h5md'));
    for (const frame of frames!.slice(0, 3)) await first.write(frame);
    const saved = await first.save!();
    for (const frame of frames!.slice(0, 2)) await first.write(frame);
    await first.close();
    const second = h5mdWriter(outputTarget(output, 'on.h5md'));
    second.restore!(saved);
    for (const frame of frames!.slice(3)) await second.write(frame);
    await second.close();
    const back = (await readFrames(h5md, join(folder, 'on.h5md'))).frames;
    expect(back.map(({ position }) => position)).toEqual(frames!.map(({ position }) => position));
    expect(back.map(({ id }) => id)).toEqual(frames!.map(({ id }) => id));
    const third = h5mdWriter(outputTarget(output, 'on.h5md'));
    third.restore!({ frames: 7 });
    await expect(third.close()).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      message: expect.stringMatching(/cannot go on writing .*on\.h5md: it has 6 frames, and had 7/),
    });
  });

  it('has the same quantities in all frames', async () => {
    const frames = (['velocity', 'charge'] as const).map(
      (column, seed) => fc.sample(anyFrame({ columns: [column] }), { numRuns: 1, seed })[0]!,
    );
    await expect(writeFrames(h5md, next(), frames)).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: 'a frame has no velocity, and the first frame of the H5MD file has',
    });
  });

  it('is refused with one sentence if it is no such file', async () => {
    const file = next();
    copyFileSync(new URL(import.meta.url), file);
    await expect(readFrames(h5md, file)).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      message: expect.stringMatching(/is damaged, or no file of HDF5/),
    });
    await expect(readFrames(h5md, join(folder, 'none.h5md'))).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
    });
  });

  it.each([
    ['the first text has more bytes than there are', 24, 256],
    ['the heap is longer than its texts and the free rest', 8, 0x5000],
  ])('is refused where HDF5 would find no end: %s', async (_, place, value) => {
    const file = next();
    const bytes = await writeFrames(h5md, file, fc.sample(anyFrame(), { numRuns: 1, seed: 5 }));
    bytes.writeUInt32LE(value, bytes.indexOf('GCOL') + place);
    writeFileSync(file, bytes);
    await expect(readFrames(h5md, file)).rejects.toMatchObject({
      code: 'FILE_FORMAT',
      message: expect.stringMatching(/is damaged, or no file of HDF5/),
    });
  });
});

const python = pythonWith('h5py');

describe.skipIf(python === null)('h5py', () => {
  it('finds the structure of H5MD 1.1, and the same numbers', async () => {
    const [frames] = fc.sample(series, { numRuns: 1, seed: 12 });
    const file = next();
    const given = frames!.map((frame, k) => ({ ...frame, time: k / 4 }));
    await writeFrames(h5md, file, given);
    const script = `import sys, json, h5py
f = h5py.File(sys.argv[1], 'r')
g = f['particles/trajectory']
print('@json' + json.dumps(dict(
  version=f['h5md'].attrs['version'].tolist(), author='name' in f['h5md/author'].attrs, creator=sorted(f['h5md/creator'].attrs),
  dimension=int(g['box'].attrs['dimension']), boundary=[b if isinstance(b, str) else b.decode() for b in g['box'].attrs['boundary']],
  edges=g['box/edges/value'][:].tolist(), shared=all(g[n + '/step'] == g['position/step'] and g[n + '/time'] == g['position/time'] for n in g if n != 'box'),
  step=g['position/step'][:].tolist(), time=g['position/time'][:].tolist(), id=g['id/value'][:].tolist(),
  position=g['position/value'][:].tolist(), velocity=g['velocity/value'][:].tolist(), image=g['image/value'][:].tolist(),
  species=[s if isinstance(s, str) else s.decode() for s in f['parameters/species'][:]])))`;
    const answer = askPython<Record<string, unknown>>(python!, script, file);
    const most = Math.max(...given.map(({ count }) => count));
    const padded = (values: ArrayLike<number>, width: number, fill: number) =>
      Array.from({ length: most }, (_, row) => {
        const at = (c: number) => values[row * width + c] ?? fill;
        return width === 1 ? at(0) : Array.from({ length: width }, (__, c) => at(c));
      });
    expect(answer).toEqual({
      ...{ version: [1, 1], author: true, creator: ['name', 'version'], dimension: 3 },
      ...{ boundary: ['periodic', 'periodic', 'periodic'], shared: true, species: ['A', 'B', 'C'] },
      edges: given.map(({ lattice: m }) => [0, 3, 6].map((k) => m!.slice(k, k + 3))),
      step: given.map(({ step }) => step),
      time: given.map(({ time }) => time),
      id: given.map(({ id }) => padded(id!, 1, -1)),
      position: given.map(({ position }) => padded(position, 3, 0)),
      velocity: given.map(({ velocity }) => padded(velocity!, 3, 0)),
      image: given.map(({ image }) => padded(image!, 3, 0)),
    });
  });

  it('writes what the specification allows, and we read it', async () => {
    const file = next();
    const script = `import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'w')
f.create_group('h5md').attrs['version'] = [1, 0]
g = f.create_group('particles/all')
g.create_group('box').attrs.update(dimension=3, boundary=[b'periodic', b'none', b'periodic'])
g['box/edges'] = [4., 5., 6.]
p = g.create_group('position')
p['value'] = np.arange(24, dtype='>f4').reshape(4, 2, 3)
p['step'] = 10
p['step'].attrs['offset'] = 5
p['time'] = 0.5
v = g.create_group('velocity')
v['value'] = np.arange(6.).reshape(1, 2, 3)
v['step'] = [25]
names = h5py.enum_dtype({'Ar': 0, 'Kr': 3}, basetype='i1')
g.create_dataset('species', data=[3, 0], dtype=names)
g['mass'] = [1.5, 2.5]
g['tag'] = [[1, 2], [3, 4]]
g['label'] = ['a', 'b']
g.create_group('force')['value'] = h5py.ExternalLink('/etc/passwd', '/x')
print('@json1')`;
    askPython(python!, script, file);
    const { frames, notes } = await readFrames(h5md, file);
    const leftOut = (name: string) =>
      expect.stringContaining(`${name} of the particles is no numbers`);
    expect(notes).toEqual([leftOut('force'), leftOut('label')]);
    expect(frames.map(({ step }) => step)).toEqual([5, 15, 25, 35]);
    expect(frames.map(({ time }) => time)).toEqual([0, 0.5, 1, 1.5]);
    expect(frames.map(({ velocity }) => velocity?.[5])).toEqual([
      undefined,
      undefined,
      5,
      undefined,
    ]);
    expect(frames[1]).toMatchObject({
      lattice: [4, 0, 0, 0, 5, 0, 0, 0, 6],
      periodic: [true, false, true],
      position: Float64Array.of(6, 7, 8, 9, 10, 11),
      mass: Float64Array.of(1.5, 2.5),
      type: Uint32Array.of(3, 0),
    });
    expect(frames[0]!.species).toEqual(['Ar', '1', '2', 'Kr']);
    expect(frames[0]!.extra.get('tag')).toEqual({
      type: 'I',
      width: 2,
      values: Float64Array.of(1, 2, 3, 4),
    });
  });
});

const analysis = pythonWith('MDAnalysis, h5py');

it.skipIf(analysis === null)(
  'MDAnalysis reads positions, velocities, times and the box',
  async () => {
    const [frame] = fc.sample(anyFrame({ columns: ['velocity'], tilted: false, minimum: 4 }), {
      numRuns: 1,
      seed: 2,
    });
    const frames = [0, 1, 2].map((k) => ({
      ...frame!,
      step: 7 * k,
      time: k / 2,
      position: frame!.position.map((x) => x + k),
    }));
    const file = next();
    await writeFrames(h5md, file, frames);
    const script = `import sys, json, warnings
warnings.simplefilter('ignore')
import MDAnalysis as mda
from MDAnalysis.coordinates.H5MD import H5MDReader
r = H5MDReader(sys.argv[1], convert_units=False)
print('@json' + json.dumps([dict(time=float(t.time), position=t.positions.tolist(), velocity=t.velocities.tolist(), box=t.dimensions.tolist()) for t in r]))`;
    const answer = askPython<
      { time: number; position: number[][]; velocity: number[][]; box: number[] }[]
    >(analysis!, script, file);
    answer.forEach(({ time, position, velocity, box }, k) => {
      expect(time).toBe(frames[k]!.time);
      expect(position.flat()).toEqual([...frames[k]!.position.map(Math.fround)]);
      expect(velocity.flat()).toEqual([...frames[k]!.velocity!.map(Math.fround)]);
      const [lx, , , , ly, , , , lz] = frames[k]!.lattice!;
      expect(box).toEqual([lx, ly, lz, 90, 90, 90].map((value) => Math.fround(value!)));
    });
    expect(answer).toHaveLength(3);
  },
);
