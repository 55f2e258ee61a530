import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, readFrames, writeFrames } from '../../../../../test/support/frames.js';
import { askPython, pythonWith } from '../../../../../test/support/oracles.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { gsd } from './gsd.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-gsd-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
/** A name that no earlier case has used. */
const next = () => join(folder, `${files++}.gsd`);

const series = fc.array(
  anyFrame({ columns: ['velocity', 'charge', 'image'], ids: 5, minimum: 2 }).map((frame) => ({
    ...frame,
    bonds: [{ ids: [frame.id![0]!, frame.id![1]!] as const, kind: 2 }],
  })),
  { minLength: 1, maxLength: 3 },
);

/** Positions without the box: r + image · lattice, from the corner of the box. */
function unwrapped({ position, image, lattice, origin }: ParticleFrame): number[] {
  return Array.from(position, (value, k) => {
    const [axis, row] = [k % 3, k - (k % 3)];
    const shift = [0, 1, 2].map((v) => (image?.[row + v] ?? 0) * lattice![3 * v + axis]!);
    return value - origin[axis]! + shift.reduce((a, b) => a + b, 0);
  });
}

/** The most boxes that a particle of a frame is away along an axis. */
function mostTurns({ position, lattice, image }: ParticleFrame): number {
  const [lx, , , xy, ly, , xz, yz, lz] = lattice as number[];
  const turns = Array.from({ length: position.length / 3 }, (_, row) => {
    const [x, y, z] = position.subarray(3 * row, 3 * row + 3) as unknown as number[];
    const c = z! / lz!;
    const b = (y! - c * yz!) / ly!;
    return [(x! - c * xz! - b * xy!) / lx!, b, c].map((t, k) => Math.abs(t + image![3 * row + k]!));
  });
  return Math.max(...turns.flat());
}

/**
 * How far a component of an unwrapped position may be off. Positions, lengths and tilts over lengths are f32, so that each has a
 * relative error of u, and a tilt, which is a product, one of 2u. A corner is half of the box from its center:
 *
 *   |error| ≤ u |r| + Σ (|n| + 1/2) · (u for a length, 2u for a tilt) · |vector|,      u = 2^−24
 *
 * and the roundings of f64 on the way, some thirty.
 */
function resolution(given: ParticleFrame, { position, image }: ParticleFrame, at: number): number {
  const [axis, row] = [at % 3, at - (at % 3)];
  const [u, tiny] = [2 ** -24, 32 * 2 ** -53];
  let off = u * Math.abs(position[at]!) + tiny * Math.abs(given.position[at]!);
  for (let v = 0; v < 3; v++) {
    const length = Math.abs(given.lattice![3 * v + axis]!);
    const [turns, before] = [Math.abs(image![row + v]!), Math.abs(given.image![row + v]!)];
    off += (turns + 0.5) * (v === axis ? u : 2 * u) * length;
    off += (turns + before + 1) * tiny * length;
  }
  return off * (1 + 4 * u);
}

const round = (values: Float64Array | null) => values?.map(Math.fround) ?? null;

describe('a GSD file', () => {
  it('reads back to the nearest f32, and unwrapped positions to its resolution', async () => {
    await fc.assert(
      fc.asyncProperty(series, async (frames) => {
        const file = next();
        try {
          await writeFrames(gsd, file, frames);
        } catch (error) {
          // A narrow, strongly tilted box far from a particle needs more than the 32 bits that the schema has for images.
          expect(error).toMatchObject({
            message: expect.stringContaining('counts boxes in 32 bits'),
          });
          expect(Math.max(...frames.map(mostTurns))).toBeGreaterThan(2 ** 31 - 1e6);
          return;
        }
        const { frames: back, notes } = await readFrames(gsd, file);
        expect(notes).toEqual([]);
        expect(back).toHaveLength(frames.length);
        back.forEach((frame, k) => {
          const given = frames[k]!;
          expect(frame).toMatchObject({
            step: given.step,
            id: given.id,
            type: given.type,
            species: given.species,
            bonds: given.bonds,
            velocity: round(given.velocity),
            charge: round(given.charge),
            mass: given.mass,
          });
          const [ours, theirs] = [unwrapped(frame), unwrapped(given)];
          ours.forEach((value, c) => {
            const off = resolution(given, frame, c);
            expect(Math.abs(value - theirs[c]!)).toBeLessThanOrEqual(off);
            // All particles are in the box.
            const half =
              [0, 3, 6].reduce((sum, v) => sum + Math.abs(given.lattice![v + (c % 3)]!), 0) / 2;
            expect(Math.abs(frame.position[c]!)).toBeLessThanOrEqual(half + off);
          });
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is not written with a particle that is more boxes away than images can count', async () => {
    const [one] = fc.sample(anyFrame(), { numRuns: 1, seed: 3 });
    const frame = {
      ...{ ...one!, count: 1, type: one!.type.slice(0, 1), id: Float64Array.of(0), mass: null },
      lattice: [0.5, 0, 0, 100, 0.5, 0, 0, 100, 0.5],
      position: Float64Array.of(0, 0, 1e6),
    };
    await expect(writeFrames(gsd, next(), [frame])).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: expect.stringMatching(/^particle 0 is -?8\d{10} boxes away/),
    });
  });

  it('has room for any number of frames', async () => {
    const [frame] = fc.sample(anyFrame({ columns: ['velocity'] }), { numRuns: 1, seed: 4 });
    const frames = Array.from({ length: 700 }, (_, k) => ({
      ...frame!,
      step: 10 * k,
      position: frame!.position.map((x) => x + 0.01 * k),
    }));
    const file = next();
    const bytes = await writeFrames(gsd, file, frames);
    const { frames: back } = await readFrames(gsd, file);
    expect(back.map(({ step }) => step)).toEqual(frames.map(({ step }) => step));
    expect(back[699]!.mass).toEqual(frame!.mass);
    // Two parts a frame: step and position. The index has grown twice.
    expect(bytes.readBigUInt64LE(16)).toBe(2048n);
  });

  it('survives damage with a sentence', async () => {
    const [frames] = fc.sample(series, { numRuns: 1, seed: 2 });
    const bytes = await writeFrames(gsd, next(), frames!);
    const file = next();
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        writeFileSync(file, damaged);
        const error = await readFrames(gsd, file).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error) expect(error).toMatchObject({ code: 'FILE_FORMAT' });
      }),
      { numRuns: 500 },
    );
  });
});

const python = pythonWith('gsd.hoomd');

describe.skipIf(python === null)('the gsd package', () => {
  it('reads the same, and we read what it writes', async () => {
    const [frames] = fc.sample(series, { numRuns: 1, seed: 7 });
    const [file, theirs] = [next(), next()];
    await writeFrames(gsd, file, frames!);
    const script = `import sys, json, gsd.hoomd
with gsd.hoomd.open(sys.argv[1], 'rb') as t, gsd.hoomd.open(sys.argv[2], 'wb') as o:
    o.extend(t)
    print('@json' + json.dumps([dict(step=int(f.configuration.step), box=f.configuration.box.tolist(), types=f.particles.types,
      typeid=f.particles.typeid.tolist(), position=f.particles.position.tolist(), velocity=f.particles.velocity.tolist(),
      mass=f.particles.mass.tolist(), charge=f.particles.charge.tolist(), image=f.particles.image.tolist(),
      bonds=f.bonds.group.tolist(), bondtypes=f.bonds.types, id=f.log['particles/id'].tolist()) for f in t]))`;
    const answer = askPython<Record<string, unknown>[]>(python!, script, file, theirs);
    const { frames: ours } = await readFrames(gsd, file);
    const { frames: back } = await readFrames(gsd, theirs);
    expect(back).toEqual(ours);
    expect(answer).toHaveLength(ours.length);
    answer.forEach((their, k) => {
      const frame = ours[k]!;
      const rows = (values: ArrayLike<number>) =>
        Array.from({ length: values.length / 3 }, (_, r) =>
          [0, 1, 2].map((c) => values[3 * r + c]),
        );
      expect(their).toMatchObject({
        step: frame.step,
        types: frame.species,
        typeid: [...frame.type],
        position: rows(frame.position),
        velocity: rows(frame.velocity!),
        mass: [...frame.mass!],
        charge: [...frame.charge!],
        image: rows(frame.image!),
        id: [...frame.id!],
        bonds: [[0, 1]],
        bondtypes: ['1', '2', '3'],
      });
    });
  });
});
