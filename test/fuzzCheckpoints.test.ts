import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { findRestart, loadSimulation, runSimulation, type Simulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatOf, readFrames } from './support/frames.js';
import { mutator } from './support/mutator.js';
import { checkpointed, RunFolders } from './support/restarts.js';
import { runs } from './support/runs.js';
import { survives } from './support/survives.js';

/** Damages of a checkpoint. */
const COUNT = runs(150, Number(process.env.CORPUSCLE_FUZZ ?? 600));
const TIME = runs(120_000, 36_000_000);
/** Bytes before the header, and of the checksum at the end. */
const [PREFIX, CHECKSUM] = [16, 32];

const folders = new RunFolders();
const yaml = (steps: number) =>
  checkpointed(steps, 4, {
    setup_system:
      '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }\n  - init_temperature: { temperature: 1.44 }',
    dump_data:
      '\n  - radial_distribution: { r_max: 2, bins: 20, frequency: 2, file: rdf.csv }\n  - write_extended_xyz: { file: f.xyz, frequency: 2 }\n  - checkpoint: { frequency: 4, keep: 9 }',
    numerical_scheme:
      '\n  nose_hoover: { pressure: 1, tau_pressure: 0.5, temperature: 1, tau: 0.2 }',
  });
let good: Buffer;
let simulation: Simulation;
let context: ExecutionContext;
const file = `${folders.folder('damaged')}/a.ckpt`;

beforeAll(async () => {
  const result = await folders.run('good', yaml(4));
  simulation = result.state.simulation;
  good = readFileSync(folders.checkpoint('good', 4));
  context = await createExecutionContext({ backend: 'cpu', threads: 1, deterministic: true });
});
afterAll(async () => {
  await context?.close();
  folders.remove();
});

/** A step more than the checkpoint has. */
async function goOn(): Promise<void> {
  const longer = loadSimulation([`${folders.folder('good')}/in.yaml`], {
    operators: createRegistry(),
    set: ['global.end_iteration=5'],
  });
  const restart = await find();
  // A forged run may leave files that no other can go on with.
  const outputDirectory = folders.folder('longer');
  rmSync(outputDirectory, { recursive: true, force: true });
  cpSync(folders.folder('good'), outputDirectory, { recursive: true });
  await runSimulation(longer, { context, restart, outputDirectory });
}

const find = () => findRestart(simulation, { checkpoint: file, outputDirectory: folders.root });

/** What no operator saves where it saved something else. */
const HOSTILE = [
  ...[-1, 0, 0.5, 1e9, 2 ** 32, 2 ** 53, 1e308, null, true, 'x', '__proto__'],
  ...[[], {}, [[]], { $array: 0 }, { $array: -1 }, { $array: 'length' }, { $number: 'NaN' }],
] as const;

/** A header that is JSON still, with other values in some places. */
function otherValues(header: Buffer, seed: number): Buffer {
  const data: unknown = JSON.parse(header.toString());
  const places: { readonly of: Record<string, unknown>; readonly key: string }[] = [];
  const visit = (of: unknown): void => {
    if (typeof of !== 'object' || of === null) return;
    for (const key of Object.keys(of)) {
      places.push({ of: of as Record<string, unknown>, key });
      visit((of as Record<string, unknown>)[key]);
    }
  };
  visit(data);
  for (let k = 0; k <= seed % 3; k++) {
    const random = createHash('sha256').update(`${seed} ${k}`).digest();
    const { of, key } = places[random.readUInt32LE(0) % places.length]!;
    if (random[8]! % 8 === 0) delete of[key];
    else of[key] = HOSTILE[random[9]! % HOSTILE.length];
  }
  return Buffer.from(JSON.stringify(data));
}

/** Arrays of the same length, with other numbers. */
function otherNumbers(arrays: Buffer, seed: number): Buffer {
  const out = Buffer.from(arrays);
  for (let k = 0; k <= seed % 3; k++) {
    const random = createHash('sha256').update(`${seed} ${k}`).digest();
    const at = 8 * (random.readUInt32LE(0) % (out.length / 8));
    if (random[8]! % 2 === 0) random.copy(out, at, 16, 24);
    else out.writeInt32LE([-1, 0, 1, 0x7fffffff, 1e9][random[9]! % 5]!, at);
  }
  return out;
}

const partsOf = (checkpoint: Buffer): readonly [header: Buffer, arrays: Buffer] => {
  const end = PREFIX + checkpoint.readUInt32LE(12);
  return [checkpoint.subarray(PREFIX, end), checkpoint.subarray(end, -CHECKSUM)];
};

/** A checkpoint whose header or arrays are others. */
function forged(seed: number): Buffer {
  const [header, arrays] = partsOf(good);
  if (seed % 4 === 0) return signed(mutator(header, seed), arrays);
  if (seed % 4 === 1) return signed(header, otherNumbers(arrays, seed));
  return signed(otherValues(header, seed), arrays);
}

/** A checkpoint with lengths and checksum as if it had been written so. */
function signed(header: Buffer, arrays: Buffer): Buffer {
  const prefix = Buffer.from(good.subarray(0, PREFIX));
  prefix.writeUInt32LE(header.length, 12);
  const body = Buffer.concat([prefix, header, arrays]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

it(
  'a damaged checkpoint is refused with one error',
  async () => {
    const damaged = (seed: number) => mutator(good, seed);
    const refused = await survives({
      name: 'checkpoints',
      files: [file],
      count: COUNT,
      damaged,
      read: find,
    });
    expect(refused).toBeGreaterThan(0.9 * COUNT);
  },
  TIME,
);

it(
  'a checkpoint that was forged gives particles, or one error',
  async () => {
    await survives({
      name: 'particles of forged checkpoints',
      files: [file],
      count: COUNT,
      damaged: forged,
      read: () => readFrames(formatOf('checkpoint'), file),
    });
  },
  TIME,
);

it(
  'a checkpoint that was forged is read, or refused with one error',
  async () => {
    const refused = await survives({
      name: 'forged checkpoints',
      files: [file],
      count: COUNT,
      damaged: forged,
      read: find,
    });
    expect(refused).toBeGreaterThan(COUNT / 4);
    expect(refused).toBeLessThan(0.7 * COUNT);
  },
  TIME,
);

it(
  'a run from a forged checkpoint goes on, or ends with one error',
  async () => {
    await survives({
      name: 'runs from forged checkpoints',
      files: [file],
      count: runs(40, COUNT / 20),
      damaged: forged,
      read: goOn,
    });
  },
  TIME,
);

it('what an operator cannot be restored from is an error of the file, which names it', async () => {
  const [header, arrays] = partsOf(good);
  const data = JSON.parse(header.toString()) as { saved: { run: { operators: unknown[] } } };
  const { run } = data.saved;
  run.operators = run.operators.map((kept) => kept && { blocks: 1 });
  writeFileSync(file, signed(Buffer.from(JSON.stringify(data)), arrays));
  await expect(goOn()).rejects.toMatchObject({
    code: 'FILE_FORMAT',
    message: expect.stringMatching(/^the checkpoint does not hold what \w+ can be restored from/),
  });
});
