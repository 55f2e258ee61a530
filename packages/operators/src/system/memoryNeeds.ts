import { CorpuscleError, type SimulationState, withoutWideAddresses } from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import { usedCutoffs } from '../run/cutoffs.js';
import { contextOf } from '../run/stateKeys.js';

/** Bytes of a particle: position, velocity and force in rows of four doubles; mass, charge, id; type. */
const FIELDS = 3 * 32 + 3 * 8 + 4;
/** Positions at the last build in f64 and f32, cell, order, length of the list, and half a cell. */
const SORTED = 32 + 12 + 4 + 4 + 4 + 4;
/** A run takes up to so many times what it needs at least: skin, buffers of borders, and room in lists to grow. */
const LIKELY = 1.6;
/** Of one row of forces where several threads, or single precision, sum them in buffers. */
const BUFFERED = 32;
/** Particles that entries of lists on a device can name. */
const MOST_ON_DEVICE = 2 ** 27 - 32;

/** What a number of particles takes, in bytes. */
export interface MemoryNeeds {
  /** In the heap, at least: fields, and on the CPU what sorting and lists need. */
  readonly heap: number;
  /** Of it neighbor lists. */
  readonly lists: number;
  /** What the heap can have at most: by the addresses that this runtime has, and by the machine. */
  readonly limit: number;
}

/** Particles before they are made; `volume` is that of their box, 0 where it is not known. */
export interface PlannedParticles {
  readonly count: number;
  readonly volume: number;
}

/**
 * What the particles of a run will take in the heap of its context, at least. Lists are those of the largest cutoff of the
 * simulation, without a skin, where particles fill the box evenly.
 */
export function memoryNeeds(
  state: SimulationState,
  { count, volume }: PlannedParticles,
): MemoryNeeds {
  const { heap, backend, threads, precision } = contextOf(state);
  const limit = Math.min(backend === 'cpu' ? heap.largestLimit : heap.limit, host.machineBytes());
  if (backend !== 'cpu') return { heap: FIELDS * count, lists: 0, limit };
  const rcut = usedCutoffs(state.simulation).reduce((most, used) => Math.max(most, used.rcut), 0);
  const half = volume > 0 ? ((2 / 3) * Math.PI * rcut ** 3 * count) / volume : 0;
  const lists = rcut > 0 ? count * (1.5 * 16 + 4 * (1.1 * Math.min(half, count) + 8)) : 0;
  const buffers = threads > 1 || precision !== 'f64' ? BUFFERED : 0;
  return { heap: count * (2 * FIELDS + SORTED + buffers) + lists, lists, limit };
}

/**
 * Refuses particles that cannot fit, before anything is allocated for them. Where they may not fit into 4 GiB, the heap is told to
 * expect more.
 * @throws CorpuscleError OUT_OF_MEMORY with what they need, what there is, and how many fit.
 */
export function checkMemory(state: SimulationState, planned: PlannedParticles): void {
  const { backend } = contextOf(state);
  const count = planned.count.toLocaleString('en');
  if (backend !== 'cpu' && planned.count > MOST_ON_DEVICE)
    throw new CorpuscleError(
      'OUT_OF_MEMORY',
      `${count} particles are too many for lists on a GPU, whose entries name at most ${MOST_ON_DEVICE.toLocaleString('en')}: use fewer particles`,
    );
  const { heap, lists } = memoryNeeds(state, planned);
  const memory = contextOf(state).heap;
  if (backend === 'cpu') memory.expect(LIKELY * heap);
  const limit = Math.min(memory.limit, host.machineBytes());
  if (heap <= limit) return;
  const each = heap / planned.count;
  const most = Math.floor(limit / each).toLocaleString('en');
  const of = lists > 0 ? `, ${inGibibytes(lists)} of it neighbor lists,` : '';
  const machine = limit < memory.limit;
  const wide = withoutWideAddresses && !machine ? `; ${withoutWideAddresses}` : '';
  throw new CorpuscleError(
    'OUT_OF_MEMORY',
    `${count} particles need at least ${inGibibytes(heap)}${of} and ${machine ? 'this machine has' : 'one process addresses'} ${inGibibytes(limit)}: at most ${most} fit here; use fewer particles${lists > 0 ? ', a shorter cutoff' : ''} or several ranks${wide}`,
  );
}

const inGibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toPrecision(3)} GiB`;
