/** Variables that launchers of Open MPI, of MPICH and its kin, and of batch systems set. */
const SIZE = ['OMPI_COMM_WORLD_SIZE', 'PMI_SIZE'];
const LOCAL_RANK = [
  'OMPI_COMM_WORLD_LOCAL_RANK',
  'MPI_LOCALRANKID',
  'SLURM_LOCALID',
  'PALS_LOCAL_RANKID',
];
const LOCAL = ['OMPI_COMM_WORLD_LOCAL_SIZE', 'MPI_LOCALNRANKS'];

/** Processes that a launcher such as `mpirun` has started together with this one: in all, and on this machine. */
export interface Launched {
  readonly size: number;
  readonly local: number;
}

/** What the launcher says; one process where there is none. */
export function launchedRanks(environment: NodeJS.ProcessEnv): Launched {
  const numberOf = (names: readonly string[], otherwise: number) => {
    const text = names.map((name) => environment[name]).find((value) => value !== undefined);
    const value = Number(text);
    return Number.isInteger(value) && value > 0 ? value : otherwise;
  };
  const size = numberOf(SIZE, 1);
  return { size, local: Math.min(size, numberOf(LOCAL, size)) };
}

/** The number of this process on its machine, from 0. */
export function localRank(environment: NodeJS.ProcessEnv): number {
  const text = LOCAL_RANK.map((name) => environment[name]).find((value) => value !== undefined);
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : 0;
}
