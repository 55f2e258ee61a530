import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  type LennardJonesPair,
  lennardJonesForce,
  type ParticleFrame,
  readExtendedXyz,
} from '@corpuscle/operators';

/** A LAMMPS run: start, forces at step 0, and the thermo table every ten steps. */
export interface LammpsCase {
  readonly name: string;
  readonly frame: ParticleFrame;
  /** Forces at step 0 in file order, fifteen digits. */
  readonly forces: Float64Array;
  readonly dt: number;
  readonly steps: number;
  /** Largest cutoff. */
  readonly rcut: number;
  readonly term: ReturnType<typeof lennardJonesForce>;
  readonly thermo: readonly LammpsRow[];
}

export interface LammpsRow {
  readonly step: number;
  readonly temperature: number;
  readonly potential: number;
  readonly total: number;
  /** Pressure, then xx, yy, zz, xy, xz, yz. */
  readonly pressure: readonly number[];
}

interface Reference {
  readonly dt: number;
  readonly steps: number;
  readonly shift: boolean;
  readonly masses: readonly number[];
  readonly pair_coeff: Readonly<Record<string, readonly [number, number, number]>>;
  readonly thermo: readonly (readonly number[])[];
}

export const lammpsCases = ['melt4000', 'triclinic', 'kob_andersen'] as const;

const TYPES = ['A', 'B', 'C'];

/** Reads one of the cases in test/data/lammps (LAMMPS of 2022-01-06, double precision). */
export function lammpsCase(name: (typeof lammpsCases)[number]): LammpsCase {
  const data = (file: string) =>
    readFileSync(fileURLToPath(new URL(`../data/lammps/${file}`, import.meta.url)));
  const reference = JSON.parse(data(`${name}.json`).toString()) as Reference;
  const types = TYPES.slice(0, reference.masses.length);
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-lammps-'));
  const file = join(folder, 'start.xyz');
  writeFileSync(file, gunzipSync(data(`${name}.xyz.gz`)));
  const frame = readExtendedXyz(file, { types, keep: ['forces'] });
  rmSync(folder, { recursive: true });
  const pairs = Object.entries(reference.pair_coeff).map(
    ([key, [epsilon, sigma, rcut]]): LennardJonesPair => {
      const [a, b] = key.split('-').map((text) => types[Number(text) - 1]!);
      return { types: [a!, b!], epsilon, sigma, rcut };
    },
  );
  return {
    name,
    frame,
    forces: frame.extra.get('forces')!.values as Float64Array,
    dt: reference.dt,
    steps: reference.steps,
    rcut: Math.max(...pairs.map((pair) => pair.rcut)),
    term: lennardJonesForce({ types, pairs, shift: reference.shift ? 'energy' : 'none' }),
    thermo: reference.thermo.map(([step, temperature, potential, , total, ...rest]) => ({
      step: step!,
      temperature: temperature!,
      potential: potential!,
      total: total!,
      pressure: rest.slice(0, 7),
    })),
  };
}
