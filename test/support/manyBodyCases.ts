import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  type Bond,
  type BondedScaling,
  embeddedAtomForce,
  type ForceTerm,
  harmonicBondForce,
  lennardJonesForce,
  readSetfl,
  readStillingerWeber,
  stillingerWeberForce,
  suttonChenForce,
} from '@corpuscle/operators';
import { frameOf, type PotentialReference } from './potentialCases.js';

export const manyBodyData = (name: string) =>
  fileURLToPath(new URL(`../data/manybody/${name}`, import.meta.url));

/** A potential of three or more particles, with the parameters of test/data/manybody/generate.ts. */
export interface ManyBodyCase {
  readonly name: string;
  /** The configurations it is compared on. */
  readonly family: string;
  readonly terms: () => ForceTerm[];
}

const types = ['A', 'B'];

/** `special_bonds lj 0 0.5 0.8` */
export const bondedScaling: BondedScaling = [0, 0.5, 0.8];

export const manyBodyCases: readonly ManyBodyCase[] = [
  {
    name: 'stillinger_weber',
    family: 'silicon',
    terms: () => [
      stillingerWeberForce({
        types,
        triplets: readStillingerWeber(manyBodyData('SiX.sw'), { A: 'Si', B: 'X' }),
      }),
    ],
  },
  {
    name: 'eam',
    family: 'metal',
    terms: () => [
      embeddedAtomForce({
        types,
        tables: readSetfl(manyBodyData('MN.eam.alloy')),
        elements: { A: 'M', B: 'N' },
      }),
    ],
  },
  {
    name: 'sutton_chen',
    family: 'metal',
    terms: () => [
      suttonChenForce({
        types,
        pairs: [{ epsilon: 0.012382, a: 3.61, n: 9, m: 6, c: 39.432, rcut: 5.9 }],
      }),
    ],
  },
  {
    name: 'bonds',
    family: 'chains',
    terms: () => [
      lennardJonesForce({ types, epsilon: 1, sigma: 1, rcut: 2.5 }),
      harmonicBondForce({ kinds: [{ k: 80, r0: 1.05 }], rcut: 3 }),
    ],
  },
];

/** One configuration of test/data/manybody, with the results of one potential. */
export function manyBodyReference(
  { name, family }: ManyBodyCase,
  configuration: string,
): PotentialReference & { readonly bonds: readonly Bond[] } {
  const packed = readFileSync(manyBodyData(`${family}-${configuration}.json.gz`));
  const file = JSON.parse(gunzipSync(packed).toString());
  const { energy, pressure, forces } = file.results[name];
  return {
    frame: frameOf(file.positions, file.types, file.lattice),
    energy,
    pressure,
    forces: Float64Array.from(forces),
    // LAMMPS counts ids from 1.
    bonds: (file.bonds ?? []).map(([a, b]: [number, number]) => ({ ids: [a - 1, b - 1] })),
  };
}
