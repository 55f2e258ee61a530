import { CorpuscleError, type Saved } from '@corpuscle/core';
import { areBonds, type SavedBonds } from '../../bonds/savedBonds.js';
import type { SavedForces } from '../../forces/ForceLedger.js';
import { areColumns, type SavedColumns } from '../../io/frames/fileColumns.js';

/** What operators share: particles, lists, and the forces of the present step. */
export type SavedParticles = {
  /** Where the run was computed. */
  readonly machine: SavedMachine;
  readonly species: readonly string[];
  readonly grid: Saved;
  /** The cutoff up to which lists are good for the positions; 0 where they are stale. */
  readonly reach: number;
  /** The cutoff that the lists of the run reach. */
  readonly rcut: number;
  /** Energy and virial, where they have been computed, perhaps before the box changed; null where there are no forces. */
  readonly forces: SavedForces | null;
  /** Of the file that particles were read from; absent in checkpoints of earlier versions. */
  readonly columns?: SavedColumns | null;
  /** How often operators have drawn random particles or places in this step; absent in checkpoints of earlier versions. */
  readonly draws?: number;
  /** Absent in checkpoints of earlier versions: operators that name bonds then do so again. */
  readonly bonds?: SavedBonds | null;
};

export type SavedMachine = {
  readonly backend: string;
  readonly precision: string;
  readonly threads: number;
};

/** @throws CorpuscleError FILE_FORMAT for data that are no particles. */
export function savedParticlesOf(step: number, saved: Saved): SavedParticles {
  const given = (saved ?? {}) as Partial<SavedParticles>;
  const { machine, species, grid, reach, rcut } = given;
  const isSound =
    typeof machine?.backend === 'string' &&
    Array.isArray(species) &&
    species.length > 0 &&
    species.every((name) => typeof name === 'string') &&
    [reach, rcut, given.draws ?? 0].every(Number.isFinite) &&
    typesAreBelow(grid, species.length) &&
    areColumns(given.columns) &&
    areBonds(given.bonds);
  if (isSound) return saved as SavedParticles;
  throw new CorpuscleError(
    'FILE_FORMAT',
    `the checkpoint of step ${step} has no particles that make sense`,
  );
}

/** Types of particles index into tables. */
function typesAreBelow(grid: Saved, count: number): boolean {
  const { blocks } = (grid ?? {}) as { blocks?: readonly { name: string; values: unknown }[] };
  const types = blocks?.find?.(({ name }) => name === 'type')?.values;
  return types instanceof Uint32Array && types.every((type) => type < count);
}
