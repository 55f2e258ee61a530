import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorpuscleError, loadSimulation } from '@corpuscle/core';
import {
  createRegistry,
  frameFormats,
  readExtendedXyz,
  readPairTable,
  readSetfl,
  readStillingerWeber,
} from '@corpuscle/operators';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { type H5mdLink, openH5mdLink } from '../packages/operators/src/io/h5md/h5mdLink.js';
import { anyFrame, writeFrames } from './support/frames.js';
import { type Mutate, mutator } from './support/mutator.js';
import { meltYaml } from './support/runCli.js';
import { runs } from './support/runs.js';

/** A reader must give an answer within this, in milliseconds: 2 s on a quiet machine. */
const PATIENCE = 8000;
/** Bytes that a reader takes for itself, whatever the file: pieces that it reads, and what other tests leave. */
const OWN = 32 * 2 ** 20;
/** Damages of a format; CORPUSCLE_FUZZ=100000 takes an hour. */
const COUNT = runs(300, Number(process.env.CORPUSCLE_FUZZ ?? 2000));

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-fuzz-'));
afterAll(async () => {
  await link?.end();
  rmSync(folder, { recursive: true });
});
const file = join(folder, 'mutated');

/** Reads damaged files: each is read, or refused with an error of ours, soon and in bounded memory. */
async function survives(
  good: Buffer,
  mutate: Mutate,
  read: () => unknown,
  count = COUNT,
): Promise<void> {
  let refused = 0;
  for (let seed = 1; seed <= count; seed++) {
    const bytes = mutate(good, seed);
    writeFileSync(file, bytes);
    const before = process.memoryUsage().arrayBuffers;
    const start = performance.now();
    try {
      await read();
    } catch (error) {
      refused++;
      if (!(error instanceof CorpuscleError) || error.code === 'INTERNAL')
        throw new Error(`mutation ${seed}: ${(error as Error).stack}`, { cause: error });
    }
    const spent = performance.now() - start;
    const allocated = process.memoryUsage().arrayBuffers - before;
    if (spent > PATIENCE) throw new Error(`mutation ${seed} took ${spent} ms`);
    if (allocated > 4 * bytes.length + OWN)
      throw new Error(`mutation ${seed} of ${bytes.length} bytes took ${allocated} bytes`);
  }
  expect(refused).toBeGreaterThan(count / 100);
}

let link: H5mdLink | null = null;

/** One thread for many files: a new one for each takes most of the time. HDF5 in a thread that it has aborted is of no use. */
async function readH5mdHere(): Promise<void> {
  link ??= openH5mdLink();
  try {
    const { frames = 0 } = await link.ask({ ask: 'open', file, types: [] });
    for (let frame = 0; frame < frames; frame++) await link.ask({ ask: 'read', frame });
    await link.ask({ ask: 'close' });
  } catch (error) {
    if (/gives it up/.test(`${error}`)) {
      await link.end();
      link = null;
    } else await link.ask({ ask: 'close' }).catch(() => undefined);
    throw error;
  }
}

const drain = async (frames: AsyncIterable<unknown>) => {
  for await (const _ of frames);
};

it.each(frameFormats.filter((format) => format.read && format.write))(
  'damage to a file of $name is either harmless or one error',
  async (format) => {
    const path = join(folder, `good${format.extensions[0]}`);
    const [frame] = fc.sample(anyFrame(), { numRuns: 1, seed: 5 });
    const good = await writeFrames(format, path, [frame!]);
    const read = format.name === 'h5md' ? readH5mdHere : () => drain(format.read!(file));
    // HDF5 takes ten times as long.
    await survives(Buffer.from(good), mutator, read, format.name === 'h5md' ? COUNT / 10 : COUNT);
  },
  runs(120_000, 7_200_000),
);

const registry = createRegistry();
const rows = Array.from({ length: 20 }, (_, k) => `${k + 1} ${0.5 + k / 10} ${1 / (k + 1)} ${k}`);
const numbers = (count: number) => Array.from({ length: count }, (_, k) => `${k / 7}`).join(' ');
const texts: readonly (readonly [string, string, () => unknown])[] = [
  [
    'extended xyz',
    '2\nLattice="5 0 0 0 5 0 0 0 5" Properties=species:S:1:pos:R:3:id:I:1:tag:R:2 pbc="T T F" time=1\nAr 0 1 2 0 1 2\nKr 1 2 3 1 3 4\n',
    () => readExtendedXyz(file, { keep: ['tag'] }),
  ],
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
  [
    'YAML',
    meltYaml({ extra: '&a [*b, { loop: 2, body: [nop] }]', '+list': '[nop]' }).replace('*b', 'nop'),
    () => loadSimulation([file], { operators: registry }),
  ],
];

it.each(texts)(
  'damage to a file of %s is either harmless or one error',
  async (_, text, read) => {
    await survives(Buffer.from(text), mutator, read);
  },
  runs(120_000, 7_200_000),
);

it('mutations repeat to the byte', () => {
  const good = Buffer.from(readFileSync(new URL(import.meta.url)));
  expect(mutator(good, 7)).toEqual(mutator(good, 7));
  expect(mutator(good, 7)).not.toEqual(mutator(good, 8));
});
