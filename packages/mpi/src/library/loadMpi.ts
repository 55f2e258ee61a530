import { CorpuscleError } from '@corpuscle/core';
import { type Foreign, loadForeign } from './Foreign.js';
import { flavorOf, type MpiFlavor } from './MpiFlavor.js';

/** An MPI library that is loaded. */
export interface MpiLibrary {
  readonly file: string;
  readonly flavor: MpiFlavor;
  readonly foreign: Foreign;
}

const OPEN_MPI = ['libmpi.so.40', 'libmpi.so.80', 'libmpi.so', 'libmpi.dylib'];
const MPICH = ['libmpich.so.12', 'libmpi.so.12', 'libmpich.so', 'libmpi.12.dylib', 'libmpi.so'];
const STANDARD = ['libmpi_abi.so.1', 'libmpi_abi.so.0', 'libmpi_abi.so', 'libmpi_abi.dylib'];

/**
 * Names to look for, the best first. The launcher that started the process belongs to a library: another one would see a single
 * process. `CORPUSCLE_MPI` names the file itself.
 */
export function libraryNames(environment: NodeJS.ProcessEnv): readonly string[] {
  const given = environment.CORPUSCLE_MPI;
  if (given) return [given];
  const isHydra = environment.PMI_RANK !== undefined && !('OMPI_COMM_WORLD_RANK' in environment);
  const names = isHydra ? [...MPICH, ...STANDARD] : [...OPEN_MPI, ...STANDARD, ...MPICH];
  return [...new Set(names)];
}

/**
 * Loads the MPI library of this machine.
 * @throws CorpuscleError NO_MPI where there is none, or nothing to call it with
 */
export async function loadMpi(): Promise<MpiLibrary> {
  const names = libraryNames(process.env);
  for (const file of names) {
    const foreign = await loadForeign(file).catch((cause: unknown) => {
      throw new CorpuscleError(
        'NO_MPI',
        'ranks need the package koffi, which calls MPI, and it cannot be loaded: npm install koffi',
        { cause },
      );
    });
    if (foreign) return { file, flavor: flavorOf(foreign, file), foreign };
  }
  const given = process.env.CORPUSCLE_MPI;
  throw new CorpuscleError(
    'NO_MPI',
    given
      ? `CORPUSCLE_MPI is '${given}', which is no library that can be loaded: give the path of libmpi`
      : 'ranks need MPI, and no library of it is found: install Open MPI or MPICH (apt-get install openmpi-bin), or name the file in CORPUSCLE_MPI',
  );
}
