import { limits } from '@corpuscle/core';
import type { Dataset, Group } from 'h5wasm/node';
import type { Bond } from '../../bonds/Bonds.js';
import type { ExtraColumn, ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { tornNote } from '../frames/tornNote.js';
import { groupName, knownElements } from './elements.js';
import { H5mdFile } from './H5mdFile.js';
import type { H5wasm } from './loadH5wasm.js';
import { evenSeries, frameOf, type Quantity, quantityOf, type Series } from './sampledQuantity.js';

/** Reads frames of an H5MD file: those at which positions were sampled. */
export class H5mdReading {
  readonly frames: number;
  /** What the reader says of the file. */
  readonly notes: string[] = [];
  readonly #file: H5mdFile;
  readonly #group: Group;
  readonly #types: readonly string[];
  readonly #quantities = new Map<string, Quantity>();
  readonly #position: { readonly value: Dataset; readonly steps: Series };
  #names: readonly string[] | null = null;
  /** Least number of a type in the first frame. */
  #firstType: number | null = null;

  /** @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT */
  constructor(h5: H5wasm, name: string, types: readonly string[] = []) {
    const file: H5mdFile = new H5mdFile(h5, name);
    this.#file = file;
    this.#types = types;
    try {
      const head = file.find('h5md');
      if (!file.isGroup(head) || file.attribute(head, 'version') === null)
        file.fail('this is no H5MD file: it has no /h5md with a version');
      this.#group = this.#chooseGroup();
      this.#findQuantities();
      const position = this.#quantities.get('position');
      if (!position?.steps) file.fail(`${this.#group.path} has no positions with steps`);
      this.#position = { value: position.value, steps: position.steps };
      this.frames = this.#countFrames(position.steps);
      this.#names = this.#findNames();
    } catch (error) {
      file.close();
      throw error;
    }
  }

  read(k: number): ParticleFrame {
    const file = this.#file;
    const { value, steps } = this.#position;
    const step = steps.at(k);
    const [, rows, columns] = file.shape(value);
    if (columns !== 3) file.fail(`positions have ${columns} components, not 3`);
    const ids = this.#column('id', k, step, rows!);
    const present = ids ? keptRows(ids) : null;
    const column = (name: string, width = 1): Float64Array | null => {
      const all = this.#column(name, k, step, rows!);
      if (!all) return null;
      if (all.length !== rows! * width)
        file.fail(`${name} of frame ${k} has ${all.length} numbers, not ${rows! * width}`);
      return present ? pick(all, present, width) : all;
    };
    const position = column('position', 3)!;
    const count = position.length / 3;
    const species = column('species');
    const image = column('image', 3);
    return {
      count,
      ...this.#box(k, step),
      ...this.#typesOf(species, count),
      position,
      velocity: column('velocity', 3),
      force: column('force', 3),
      energy: column('energy'),
      id: column('id'),
      mass: column('mass'),
      charge: column('charge'),
      molecule: column('molecule'),
      image: image && Int32Array.from(image),
      bonds: this.#bonds(),
      extra: this.#extra(rows!, column),
      properties: new Map(),
      step,
      time: this.#time(k),
    };
  }

  close(): void {
    this.#file.close();
  }

  #chooseGroup(): Group {
    const file = this.#file;
    const particles = file.find('particles');
    const names = file.isGroup(particles) ? file.ask(() => particles.keys()) : [];
    const chosen = names.includes(groupName) ? groupName : names[0];
    if (chosen === undefined) file.fail('it has no particles');
    if (names.length > 1)
      this.notes.push(
        `'${file.name}' has ${names.length} groups of particles: '${chosen}' is read`,
      );
    const group = file.find(`particles/${chosen}`);
    return file.isGroup(group) ? group : file.fail(`particles/${chosen} is no group`);
  }

  #findQuantities(): void {
    const file = this.#file;
    for (const name of file.ask(() => this.#group.keys())) {
      if (name === 'box') continue;
      const quantity = quantityOf(file, name, this.#group);
      if (quantity && file.isNumeric(quantity.value)) this.#quantities.set(name, quantity);
      else
        this.notes.push(`'${file.name}': ${name} of the particles is no numbers: it is left out`);
    }
    const position = this.#quantities.get('position');
    const unit = position && file.attribute(position.value, 'unit');
    if (typeof unit === 'string' && unit !== '')
      this.notes.push(
        `'${file.name}' says that positions are in ${unit}: numbers are taken as they are, in the units of the run`,
      );
  }

  /** A frame counts when all that is sampled with it is there. */
  #countFrames({ length }: Series): number {
    if (!this.#file.isOpenElsewhere) return length;
    let least = length;
    for (const { steps } of this.#quantities.values())
      if (steps && steps.length === length - 1) least = steps.length;
    if (least < length) this.notes.push(tornNote(this.#file.name, least));
    return least;
  }

  /** The numbers of a quantity in a frame, for `rows` particles; null where it has none there. */
  #column(name: string, k: number, step: number, rows: number): Float64Array | null {
    const quantity = this.#quantities.get(name);
    if (!quantity) return null;
    const frame = frameOf(quantity, k, step);
    if (Number.isNaN(frame)) return null;
    const shape = this.#file.shape(quantity.value);
    const found = shape[frame === null ? 0 : 1];
    const isKnown = knownElements.includes(name);
    if (found !== rows) {
      if (!isKnown) return null;
      this.#file.fail(`${name} is of ${found ?? 0} particles, and positions of ${rows}`);
    }
    return this.#file.numbers(quantity.value, frame, { anyValue: !isKnown });
  }

  #time(k: number): number | undefined {
    const file = this.#file;
    const dataset = file.find('position/time', this.#group);
    if (!file.isDataset(dataset) || !file.isNumeric(dataset)) return undefined;
    const [frames] = file.shape(dataset);
    if (frames === undefined) return evenSeries(file, dataset, this.frames).at(k);
    return k < frames ? file.numbers(dataset, k)[0] : undefined;
  }

  #box(k: number, step: number): Pick<ParticleFrame, 'lattice' | 'origin' | 'periodic'> {
    const file = this.#file;
    const box = file.find('box', this.#group);
    if (!box) return { lattice: null, origin: [0, 0, 0], periodic: [false, false, false] };
    const told = file.attribute(box, 'boundary');
    const words = Array.isArray(told) ? told.map(String) : [];
    const periodic = [0, 1, 2].map((axis) => words[axis] === 'periodic') as never;
    const numbers = (name: string): Float64Array | null => {
      const quantity = quantityOf(file, name, box);
      if (!quantity) return null;
      const frame = frameOf(quantity, k, step);
      return Number.isNaN(frame) ? null : file.numbers(quantity.value, frame);
    };
    const given = file.attribute(box, 'edges');
    const edges = numbers('edges') ?? (ArrayBuffer.isView(given) ? (given as Float64Array) : null);
    const lattice = edges && latticeOf(edges);
    if (edges && !lattice) file.fail(`the box of frame ${k} has no volume`);
    const offset = numbers('offset');
    const origin = (offset?.length === 3 ? [...offset] : [0, 0, 0]) as never;
    return { lattice, origin, periodic: lattice ? periodic : [false, false, false] };
  }

  /** Names of types: those that the file has, else the particle types in their order. */
  #findNames(): readonly string[] | null {
    const file = this.#file;
    const type = this.#quantities.get('species')?.value.metadata.enum_type;
    if (type) {
      const names: string[] = [];
      for (const [name, number] of Object.entries(type.members)) {
        if (!(number >= 0 && number < limits.species)) return null;
        names[number] = name;
      }
      return Array.from(names, (name, k) => name ?? String(k));
    }
    const dataset = file.find('parameters/species');
    return file.isDataset(dataset) ? file.texts(dataset) : null;
  }

  #typesOf(species: Float64Array | null, count: number): Pick<ParticleFrame, 'species' | 'type'> {
    const file = this.#file;
    if (!species) {
      if (this.#types.length > 1)
        file.fail(`it has no species, and there are ${this.#types.length} particle types`);
      return { species: [this.#types[0] ?? 'A'], type: new Uint32Array(count) };
    }
    const least = species.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const most = species.reduce((a, b) => Math.max(a, b), 0);
    if (count > 0) this.#firstType ??= least === 0 || this.#names ? 0 : 1;
    const first = this.#firstType ?? 0;
    if (!(least >= first || count === 0) || !(most < limits.species))
      file.fail(`species are from ${least} to ${most}, not from ${first} to ${limits.species}`);
    const known = this.#names ?? this.#types;
    const names = Array.from(
      { length: Math.max(known.length, most + 1 - first) },
      (_, k) => known[k] ?? String(k + first),
    );
    return { species: names, type: Uint32Array.from(species, (type) => type - first) };
  }

  #extra(rows: number, column: (name: string, width: number) => Float64Array | null) {
    const extra = new Map<string, ExtraColumn>();
    for (const [name, { value, steps }] of this.#quantities) {
      if (knownElements.includes(name)) continue;
      const shape = this.#file.shape(value).slice(steps ? 1 : 0);
      const width = shape.slice(1).reduce((a, b) => a * b, 1);
      if (shape[0] !== rows || !(width >= 1 && width <= limits.columns)) continue;
      const values = column(name, width);
      if (values) extra.set(name, { type: value.metadata.type === 1 ? 'R' : 'I', width, values });
    }
    return extra;
  }

  #bonds(): readonly Bond[] | null {
    const file = this.#file;
    const dataset = file.find('connectivity/bonds');
    if (!file.isDataset(dataset) || file.shape(dataset)[1] !== 2) return null;
    const ids = file.numbers(dataset);
    const kind = file.find('connectivity/bonds_kind');
    const kinds = file.isDataset(kind) ? file.numbers(kind) : null;
    return Array.from({ length: ids.length / 2 }, (_, k) => ({
      ids: [ids[2 * k]!, ids[2 * k + 1]!] as const,
      kind: kinds?.[k] ?? 0,
    }));
  }
}

/** Rows of particles that are there: an id below 0 stands for none. Null for all. */
function keptRows(ids: Float64Array): Uint32Array | null {
  if (ids.every((id) => id >= 0)) return null;
  return Uint32Array.from([...ids.keys()].filter((row) => ids[row]! >= 0));
}

function pick(values: Float64Array, rows: Uint32Array, width: number): Float64Array {
  const out = new Float64Array(rows.length * width);
  for (let k = 0; k < rows.length; k++)
    for (let c = 0; c < width; c++) out[k * width + c] = values[rows[k]! * width + c]!;
  return out;
}

/** Rows of the box, from its edges: three lengths, or three vectors. */
function latticeOf(edges: Float64Array): readonly number[] | null {
  const m = edges.length === 3 ? [edges[0]!, 0, 0, 0, edges[1]!, 0, 0, 0, edges[2]!] : [...edges];
  if (m.length !== 9) return null;
  const [ax, ay, az, bx, by, bz, cx, cy, cz] = m as [number, ...number[]] & number[];
  const volume =
    ax! * (by! * cz! - bz! * cy!) - ay! * (bx! * cz! - bz! * cx!) + az! * (bx! * cy! - by! * cx!);
  return Math.abs(volume) > 0 ? m : null;
}
