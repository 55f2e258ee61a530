import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { loadSimulation } from '@corpuscle/core';
import {
  createRegistry,
  type FrameFormat,
  frameFormats,
  type ParticleFrame,
  readExtendedXyz,
  readPairTable,
  readSetfl,
  readStillingerWeber,
} from '@corpuscle/operators';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { readBonds } from '../packages/operators/src/bonds/readBonds.js';
import { type H5mdLink, openH5mdLink } from '../packages/operators/src/io/h5md/h5mdLink.js';
import { fileTexts } from './support/fileTexts.js';
import { anyFrame, formatOf, writeFrames } from './support/frames.js';
import { mutator } from './support/mutator.js';
import { meltYaml } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';
import { survives } from './support/survives.js';

/** Damages of a format; CORPUSCLE_FUZZ=100000 takes an hour. */
const COUNT = runs(70, Number(process.env.CORPUSCLE_FUZZ ?? 500));
const TIME = runs(120_000, 36_000_000);

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-fuzz-'));
afterAll(async () => {
  await link?.end();
  rmSync(folder, { recursive: true });
});
const file = join(folder, 'mutated');
/** HDF5 knows files by their inodes, and a damaged file that it could not close would be taken for the next one there. */
const filesOfHdf5 = Array.from({ length: 500 }, (_, k) => `${file}-${k}`);

let link: H5mdLink | null = null;

/** Failures since the thread is there. */
let failures = 0;

/** One thread for many files: a new one for each takes most of the time. HDF5 keeps memory of files that it fails to read. */
async function readH5mdHere(file: string): Promise<void> {
  link ??= openH5mdLink();
  try {
    const { frames = 0 } = await link.ask({ ask: 'open', file, types: [] });
    for (let k = 0; k < frames; k++) {
      const { frame } = await link.ask({ ask: 'read', frame: k });
      expectBounded(frame!, file);
    }
    await link.ask({ ask: 'close' });
  } catch (error) {
    if (++failures === 100 || /gives it up/.test(`${error}`)) {
      await link.end();
      link = null;
      failures = 0;
    } else await link.ask({ ask: 'close' }).catch(() => undefined);
    throw error;
  }
}

/** What a file announces is not made before the file is found to hold it. */
function expectBounded({ count }: ParticleFrame, file: string): void {
  const { size } = statSync(file);
  if (count > 4 * size) throw new Error(`${size} bytes have become ${count} particles`);
}

async function readAll(format: FrameFormat): Promise<void> {
  for await (const frame of format.read!(file)) expectBounded(frame, file);
}

const columns = ['velocity', 'charge', 'molecule', 'image', 'force', 'energy'] as const;

/** Sound files of a format: the smallest, and two frames with all that it can say. */
async function soundFiles(format: FrameFormat): Promise<Buffer[]> {
  const text = fileTexts[format.name];
  if (text) return [Buffer.from(text)];
  const path = join(folder, `good${format.extensions[0]}`);
  const [small] = fc.sample(anyFrame(), { numRuns: 1, seed: 5 });
  const [rich] = fc.sample(anyFrame({ columns, minimum: 5 }), { numRuns: 1, seed: 1 });
  return [
    await writeFrames(format, path, [small!]),
    await writeFrames(format, path, [rich!, rich!]),
  ];
}

// Checkpoints have a checksum: `fuzzCheckpoints` forges them.
it.each(frameFormats.filter(({ name, read }) => read && name !== 'checkpoint'))(
  'damage to a file of $name is either harmless or one error',
  async (format) => {
    const good = await soundFiles(format);
    const isHdf5 = format.name === 'h5md';
    const refused = await survives({
      name: format.name,
      files: isHdf5 ? filesOfHdf5 : [file],
      // HDF5 takes ten times as long.
      count: isHdf5 ? COUNT / runs(10, 1) : COUNT,
      damaged: (seed) => mutator(good[seed % good.length]!, seed),
      read: isHdf5 ? readH5mdHere : () => readAll(format),
    });
    expect(refused).toBeGreaterThan(0);
  },
  TIME,
);

const registry = createRegistry();
const rows = Array.from({ length: 20 }, (_, k) => `${k + 1} ${0.5 + k / 10} ${1 / (k + 1)} ${k}`);
const numbers = (count: number) => Array.from({ length: count }, (_, k) => `${k / 7}`).join(' ');
const dump =
  'ITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS xy xz yz pp pp ff\n0 6 1\n0 5 0\n-1 5 0\nITEM: ATOMS id type xs ys zs ix iy iz\n2 1 0.1 0.2 0.3 0 1 -1\n1 2 0.4 0.5 0.6 0 0 0\n';
const texts: readonly (readonly [string, string, () => unknown])[] = [
  [
    'extended xyz, one frame',
    '2\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:id:I:1:tag:R:2 pbc="T T F" time=1\nAr 0 1 2 0 1 2\nKr 1 2 3 1 3 4\n',
    () => readExtendedXyz(file, { keep: ['tag'] }),
  ],
  ['scaled dumps', dump + dump, () => readAll(formatOf('lammps_dump'))],
  [
    'pair tables',
    `# x\nOTHER\nN 2\n\n1 1 1 1\n2 2 2 2\n\nMINE\nN 20 R 0.5 2.4 FPRIME 1 2\n\n${rows.join('\n')}\n`,
    () => readPairTable(file, 'MINE'),
  ],
  [
    'setfl',
    `a\nb\nc\n1 Cu\n10 0.1 10 0.2 2\n29 63 3.6 fcc\n${numbers(10)}\n${numbers(10)}\n${numbers(10)}\n`,
    () => readSetfl(file),
  ],
  [
    'Stillinger-Weber',
    'Si Si Si 2.1 2.0 1.8 21 1.2 -0.3\n 7.0 0.6 4 0 0\n',
    () => readStillingerWeber(file, { Si: 'Si' }),
  ],
  ['bonds', '# two ids, and a kind\n1 2\n2 3 2\n\n4 1 1 # closed\n', () => readBonds(file)],
  [
    'YAML',
    meltYaml({ extra: '&a [*b, { loop: 2, body: [nop] }]', '+list': '[nop]' }).replace('*b', 'nop'),
    () => loadSimulation([file], { operators: registry }),
  ],
];

it.each(texts)(
  'damage to a file of %s is either harmless or one error',
  async (name, text, read) => {
    const good = Buffer.from(text);
    const damaged = (seed: number) => mutator(good, seed);
    const refused = await survives({ name, files: [file], count: COUNT, damaged, read });
    expect(refused).toBeGreaterThan(COUNT / 100);
  },
  TIME,
);

it(
  'damage to a compressed dump is either harmless or one error',
  async () => {
    const good = gzipSync(dump.repeat(20));
    const read = () => readAll(formatOf('lammps_dump'));
    // Half of the damages are to the text, so that they pass the checksum of gzip.
    const damaged = (seed: number) =>
      seed % 2 === 0 ? mutator(good, seed) : gzipSync(mutator(Buffer.from(dump), seed));
    const refused = await survives({
      name: 'compressed dumps',
      files: [file],
      count: COUNT,
      damaged,
      read,
    });
    expect(refused).toBeGreaterThan(COUNT / 100);
  },
  TIME,
);

itOnce('mutations repeat to the byte', () => {
  const good = Buffer.from(readFileSync(new URL(import.meta.url)));
  expect(mutator(good, 7)).toEqual(mutator(good, 7));
  expect(mutator(good, 7)).not.toEqual(mutator(good, 8));
});
