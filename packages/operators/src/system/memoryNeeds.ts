import {
  CorpuscleError,
  operatorsOf,
  type SimulationState,
  standardBlocks,
  withoutWideAddresses,
} from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import type { DeviceStatus } from '@corpuscle/patterns';
import type { DeviceMemory, DeviceNeeds } from '@corpuscle/patterns/engines';
import { known, usedCutoffs } from '../run/cutoffs.js';
import { contextOf, gridKey } from '../run/stateKeys.js';

/** Bytes of a particle: position, velocity and force in rows of four doubles; mass, charge, id; type. */
const FIELDS = 3 * 32 + 3 * 8 + 4;
/** Positions at the last build in f64 and f32, cell, order, length of the list, and half a cell. */
const SORTED = 32 + 12 + 4 + 4 + 4 + 4;
/** A run takes up to so many times what it needs at least: skin, buffers of borders, and room in lists to grow. */
const LIKELY = 1.4;
/** Of one row of forces where several threads, or single precision, sum them in buffers. */
const BUFFERED = 32;
/** What the host has of a particle of a device while it is set up: its velocity and mass. */
const ON_HOST = 32 + 8;
/** The skin of lists on a device as a part of the cutoff, where the file has none. */
const SKIN = 0.12;
/** A device with less to hold is not asked whether it has the room. */
const UNASKED = 2 ** 30;

/** What a number of particles takes, in bytes. */
export interface MemoryNeeds {
  /** At least, where they are computed: in the heap of a CPU, or on a device. */
  readonly heap: number;
  /** Of it neighbor lists. */
  readonly lists: number;
  /**
   * What there can be at most: by addresses of the heap and memory of the machine; of a device, what it has left and what the run
   * holds already. Infinity where that is not known.
   */
  readonly limit: number;
  /** Particles that a device can number, whatever memory it has; Infinity elsewhere. */
  readonly mostRows: number;
}

/** Particles before they are made; `volume` is that of their box, 0 where it is not known. */
export interface PlannedParticles {
  readonly count: number;
  readonly volume: number;
}

/**
 * What the particles of a run will take, at least. Lists are those of the largest cutoff of the
 * simulation, on a CPU without a skin, where particles fill the box evenly.
 * @param looked how much memory of a device is looked for: what they need, unless all of it is to be found
 */
export function memoryNeeds(
  state: SimulationState,
  planned: PlannedParticles,
  looked?: number,
): MemoryNeeds {
  const { heap, backend, threads, precision } = contextOf(state);
  if (backend !== 'cpu') return needsOfDevice(state, planned, looked);
  const { count } = planned;
  const limit = Math.min(heap.largestLimit, host.machineBytes());
  const half = neighborsOf(state, planned) / 2;
  const lists = cutoffOf(state) > 0 ? count * (1.5 * 16 + 4 * (1.1 * half + 8)) : 0;
  const buffers = threads > 1 || precision !== 'f64' ? BUFFERED : 0;
  const bytes = count * (2 * FIELDS + SORTED + buffers) + lists;
  return { heap: bytes, lists, limit, mostRows: Number.POSITIVE_INFINITY };
}

/** Neighbors of a particle within the largest cutoff of the simulation, and a skin; 0 where the box is not known. */
function neighborsOf(
  state: SimulationState,
  { count, volume }: PlannedParticles,
  skin = 0,
): number {
  const rcut = cutoffOf(state);
  if (volume <= 0 || rcut <= 0) return 0;
  return Math.min(((4 / 3) * Math.PI * (rcut + skin) ** 3 * count) / volume, 2 * count);
}

const cutoffOf = ({ simulation }: SimulationState): number =>
  usedCutoffs(simulation).reduce((most, { rcut }) => Math.max(most, rcut), 0);

/** The device, where it knows of its memory. */
function deviceMemory(state: SimulationState): (DeviceStatus & DeviceMemory) | null {
  const { device } = contextOf(state);
  return device && 'needs' in device ? (device as DeviceStatus & DeviceMemory) : null;
}

/** What a device knows that particles need; null for those that know nothing. Its lists are full, and reach by the skin farther. */
function askDevice(state: SimulationState, planned: PlannedParticles): DeviceNeeds | null {
  const present = state.find(gridKey);
  const specs = present ? [...present.blocks.values()].map(({ spec }) => spec) : standardBlocks;
  const neighbors = neighborsOf(state, planned, skinOf(state));
  return deviceMemory(state)?.needs(specs, planned.count, neighbors) ?? null;
}

/** The skin of lists, where the file gives it; else that which lists have before it is tuned. */
function skinOf(state: SimulationState): number {
  for (const node of operatorsOf(state.simulation.root)) {
    const skin = known(node, 'rcut_inc')?.value;
    if (typeof skin === 'number') return skin;
  }
  return SKIN * cutoffOf(state);
}

function needsOfDevice(
  state: SimulationState,
  planned: PlannedParticles,
  looked?: number,
): MemoryNeeds {
  const device = deviceMemory(state);
  const needs = askDevice(state, planned);
  const limit = Number.POSITIVE_INFINITY;
  if (!needs) return { heap: FIELDS * planned.count, lists: 0, limit, mostRows: limit };
  const { bytes: heap, lists, mostParticles: mostRows } = needs;
  if (!device || (heap < UNASKED && looked === undefined)) return { heap, lists, limit, mostRows };
  const { allocatedBytes } = device.counters;
  const missing = Math.max(0, (looked ?? heap) - allocatedBytes);
  const found = device.room(missing);
  // What was found in full says that there is enough, and no more.
  const enough = Math.max(heap, looked ?? 0);
  return { heap, lists, limit: found < missing ? allocatedBytes + found : enough, mostRows };
}

/**
 * Refuses particles that cannot fit, before anything is allocated for them. Where they may not fit into 4 GiB, the heap is told to
 * expect more.
 * @throws CorpuscleError OUT_OF_MEMORY with what they need, what there is, and how many fit.
 */
export function checkMemory(state: SimulationState, planned: PlannedParticles): void {
  const { backend, heap: shared } = contextOf(state);
  const count = planned.count.toLocaleString('en');
  if (backend !== 'cpu') checkDevice(state, planned);
  const needs = memoryNeeds(state, planned);
  const { heap, lists } = needs;
  if (backend === 'cpu') shared.expect(LIKELY * heap);
  const limit = backend === 'cpu' ? Math.min(shared.limit, host.machineBytes()) : needs.limit;
  if (heap <= limit) return;
  const each = heap / planned.count;
  const most = Math.floor(limit / each).toLocaleString('en');
  const of = lists > 0 ? `, ${inGibibytes(lists)} of it neighbor lists,` : '';
  const isMachine = limit < shared.limit;
  const ofHost = isMachine ? 'this machine has' : 'one process addresses';
  const has = backend === 'cpu' ? ofHost : 'the GPU has';
  const isNarrow = backend === 'cpu' && withoutWideAddresses && !isMachine;
  const wide = isNarrow ? `; ${withoutWideAddresses}` : '';
  throw new CorpuscleError(
    'OUT_OF_MEMORY',
    `${count} particles need at least ${inGibibytes(heap)}${of} and ${has} ${inGibibytes(limit)}: at most ${most} fit here; use fewer particles${lists > 0 ? ', a shorter cutoff' : ''} or several ranks${wide}`,
  );
}

/** What a device can never hold, and what its host cannot set up. */
function checkDevice(state: SimulationState, planned: PlannedParticles): void {
  const count = planned.count.toLocaleString('en');
  const needs = askDevice(state, planned);
  if (needs && planned.count > needs.mostParticles) {
    const { name, bytes, limit } = needs.block;
    throw new CorpuscleError(
      'OUT_OF_MEMORY',
      `${count} particles need ${inGibibytes(bytes)} for '${name}' alone, and kernels of this GPU see ${inGibibytes(limit)} of one buffer: at most ${needs.mostParticles.toLocaleString('en')} fit here; use fewer particles, precision f32, or several ranks`,
    );
  }
  const onHost = ON_HOST * planned.count;
  if (onHost > host.machineBytes())
    throw new CorpuscleError(
      'OUT_OF_MEMORY',
      `${count} particles need at least ${inGibibytes(onHost)} on the host while they are set up, and this machine has ${inGibibytes(host.machineBytes())}: use fewer particles`,
    );
}

const inGibibytes = (bytes: number): string => `${(bytes / 2 ** 30).toPrecision(3)} GiB`;
