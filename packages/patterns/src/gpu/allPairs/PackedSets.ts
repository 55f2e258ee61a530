import { type Domain, type Grid, type NearestImages, nearestImages } from '@corpuscle/core';
import type { SharedArray } from '../../plan/createArray.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { PackedSet, type Packing } from './PackedSet.js';
import { doubleTurnValues, packDoubleSource } from './packDoubles.js';
import { packSource, type Turns, turnsOf, turnValues } from './packParticles.js';
import { RowsByLabel } from './RowsByLabel.js';
import { strainedImages } from './strainedImages.js';

/** A box as calls over all pairs see it: nearest images, the coordinates that wrap around, and how sets are packed in them. */
export interface WrappedBox {
  readonly box: Domain;
  readonly frame: PositionFrame;
  /** Whether it may be sheared by values of the device; undefined where it has no strain. */
  readonly isSheared: boolean | undefined;
  readonly images: NearestImages;
  readonly turns: Turns;
  /** For all particles, and for those that are named. */
  readonly packAll: Packing;
  readonly packNamed: Packing;
}

/**
 * The sets of one grid that calls have asked for, packed. Calls on the same positions share what is packed, and rows stay found
 * until particles are sorted:
 *
 *   sort │ labels → rows │ step: pack A, B; A with B; B with A │ step: pack A, B; … │ sort …
 */
export class PackedSets {
  /** Holds the version of the positions in which a particle has none, or is missing. */
  readonly fault: GPUBuffer;
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #grid: Grid;
  readonly #byLabel = new Map<string, RowsByLabel>();
  /** By the array that names the particles, and the labels. */
  readonly #sets = new WeakMap<object, Map<string | null, PackedSet>>();
  /** The last box, with images and without. */
  readonly #wrapped = new Map<boolean, WrappedBox>();
  /** Gives memory of sets back whose arrays are garbage. */
  readonly #garbage = new FinalizationRegistry<PackedSet>((set) => set.free());

  constructor(gpu: GpuDevice, residency: Residency, grid: Grid) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#grid = grid;
    this.fault = gpu.buffer('all pairs: fault', 16);
    grid.onFree(() => this.#free());
  }

  /** The box and frame of this moment. @param hasImages whether periodic images count. */
  wrapped(hasImages: boolean): WrappedBox {
    const box = this.#residency.boxOf(this.#grid);
    const { frame } = this.#residency.ensurePositions(this.#grid);
    const known = this.#wrapped.get(hasImages);
    const strain = strainOf(this.#grid);
    const isSheared = strain?.isSheared;
    if (known?.box === box && known.frame === frame && known.isSheared === isSheared) return known;
    const images = strainedImages(nearestImages(box, hasImages), strain);
    const turns = turnsOf(images, frame);
    const packAll = this.#packing(turns, frame, false);
    const packNamed = this.#packing(turns, frame, true);
    const wrapped = { box, frame, isSheared, images, turns, packAll, packNamed };
    this.#wrapped.set(hasImages, wrapped);
    return wrapped;
  }

  #packing(turns: Turns, frame: PositionFrame, isNamed: boolean): Packing {
    const isDouble = this.#gpu.reals.state === 'f64';
    const kernel = this.#gpu.kernel(isDouble ? packDoubleSource(isNamed) : packSource(isNamed));
    const values = isDouble ? doubleTurnValues(turns, frame) : turnValues(turns, frame);
    return { kernel, values, bytes: isDouble ? 32 : 16 };
  }

  /** The particles of these rows or labels, or all of them, packed as they are now. */
  pack(
    named: SharedArray | null,
    labels: string | null,
    { packAll, packNamed }: WrappedBox,
  ): PackedSet {
    const position = this.#residency.ensurePositions(this.#grid);
    const set = this.#setOf(named, labels);
    const rows = named && labels !== null ? this.#rowsOf(set, labels) : set.givenRows();
    const parts = position.parts.map(({ buffer }) => buffer);
    const particles = rows ? [...parts, rows] : parts;
    const count = named?.length ?? this.#grid.count;
    set.pack(named ? packNamed : packAll, position.version, count, particles, this.fault);
    return set;
  }

  #rowsOf(set: PackedSet, labels: string): GPUBuffer {
    let byLabel = this.#byLabel.get(labels);
    if (!byLabel) {
      byLabel = new RowsByLabel(this.#gpu, this.#residency);
      this.#byLabel.set(labels, byLabel);
    }
    const found = byLabel;
    const version = found.note(this.#grid, labels);
    return set.rowsByLabel(version, (named, rows) => found.find(named, this.#grid.count, rows));
  }

  #setOf(named: SharedArray | null, labels: string | null): PackedSet {
    const owner = named ?? this.#grid;
    let sets = this.#sets.get(owner);
    if (!sets) {
      sets = new Map();
      this.#sets.set(owner, sets);
    }
    let set = sets.get(labels);
    if (!set) {
      set = new PackedSet(this.#gpu, this.#residency, named);
      sets.set(labels, set);
      this.#garbage.register(owner, set);
    }
    return set;
  }

  #free(): void {
    this.#gpu.release(this.fault);
    for (const byLabel of this.#byLabel.values()) byLabel.free();
    for (const set of this.#sets.get(this.#grid)?.values() ?? []) set.free();
  }
}
