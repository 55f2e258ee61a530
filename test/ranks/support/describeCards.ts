import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Precision } from '@corpuscle/patterns';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleScript } from '../../support/bundleScript.js';
import { WAITING } from '../../support/mpirun.js';
import { casesOnRanks, outputsOn, programOf, type Texts } from './casesOnRanks.js';
import type { RankCase } from './rankCases.js';
import { distancesOf, farthest, rowsOf } from './rows.js';

/** Of ranks that share a software adapter. */
export const env = {
  ...process.env,
  ...WAITING,
  CORPUSCLE_SOFTWARE_GPU: '1',
  OMPI_MCA_rmaps_base_oversubscribe: '1',
};
/** Cases that processes run one after the other, with the kernels of those before: more would take minutes. */
const AT_ONCE = 10;

/** How near numbers are to those of one process: of the first row, of all rows, and of frames. */
export interface Nearness {
  readonly first: number;
  readonly rows: number;
  readonly frames: number;
}

export interface CardsOptions {
  readonly precision: Precision;
  /** What runs the cases on one process. */
  readonly alone: 'cpu' | 'webgpu';
  readonly nearness: Nearness;
  /** Numbers of ranks, and names of the cases that each runs. */
  readonly runs: readonly { readonly ranks: number; readonly names: readonly string[] }[];
}

/** Simulations on ranks with a card each have the rows and frames of one process. */
export function describeCards(
  cases: readonly (readonly [string, RankCase])[],
  { precision, alone: backend, nearness, runs }: CardsOptions,
) {
  const given = cases.map(([name, one]) => {
    const text = one.text.replace('configuration: {', `configuration: { precision: ${precision},`);
    return [name, { ...one, text }] as const;
  });
  const known = casesOnRanks(given, {
    backend,
    threads: 1,
    ...(backend === 'webgpu' && { precision }),
  });
  const { folder, fileOf, alone } = known;
  const parts = runs.flatMap(({ ranks, names }) =>
    Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, part) => ({
      ranks,
      part,
      names: names.slice(AT_ONCE * part, AT_ONCE * (part + 1)),
    })),
  );
  describe.each(parts)(
    `in ${precision} on $ranks ranks with a card each, part $part`,
    ({ ranks, names }) => {
      let outputs: Readonly<Record<string, Texts>>;
      beforeAll(async () => {
        const lent = await lending(folder);
        const texts = await outputsOn(ranks, programOf('cards'), names.map(fileOf), lent);
        outputs = Object.fromEntries(names.map((name, k) => [name, texts[k]!]));
      }, 600_000);

      it.each(names)(`%s has the rows of one process, ${backend}`, (name) => {
        const known = rowsOf(alone[name]!['thermo.csv']!);
        const rows = rowsOf(outputs[name]!['thermo.csv']!);
        expect(rows).toHaveLength(3);
        expect(farthest(rows[0]!, known[0]!)).toBeLessThan(nearness.first);
        for (const [n, row] of rows.entries())
          expect(farthest(row, known[n]!)).toBeLessThan(nearness.rows);
      });

      it.each(names)(`%s has the particles of one process in its frames, ${backend}`, (name) => {
        const { 'thermo.csv': _rows, ...known } = alone[name]!;
        expect(Object.keys(outputs[name]!).sort()).toEqual(Object.keys(alone[name]!).sort());
        for (const [file, text] of Object.entries(known)) {
          const off = distancesOf(outputs[name]![file]!, text);
          expect(Math.max(...off), file).toBeLessThan(nearness.frames);
        }
      });
    },
  );
  return known;
}

/** Cases of one rank lend each other a device, with the kernels that it has compiled. */
async function lending(folder: string): Promise<NodeJS.ProcessEnv> {
  const bundle = join(folder, 'lendDevices.mjs');
  const script = new URL('../../setup/lendDevices.ts', import.meta.url);
  await bundleScript(fileURLToPath(script), bundle);
  return { ...env, NODE_OPTIONS: `--import ${bundle}` };
}
