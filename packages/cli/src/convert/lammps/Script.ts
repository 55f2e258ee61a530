import { Batch, type Slots, type Value } from '../Draft.js';
import { type Crystal, noCrystal } from './crystals.js';
import { PairForces } from './PairForces.js';
import { mistake, type Place } from './readCommands.js';
import { Unmapped } from './Unmapped.js';
import { Variables } from './Variables.js';

export const AXES: readonly string[] = ['x', 'y', 'z'];

/** A box of the script: corners, and tilts xy xz yz. */
export interface ScriptBox {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly tilt: readonly number[];
}

export interface ScriptType {
  name: string;
  mass?: number;
}

export interface ScriptRegion {
  readonly shape: Value;
  /** Of a block or prism, which may be a box. */
  readonly box?: ScriptBox;
  /** Whether it ends where the box does: that is a surface of it, which its shape may not have. */
  readonly isAtEdge?: boolean;
  /** Whether the file names it already. */
  isWritten: boolean;
}

export interface ScriptCompute {
  readonly style: string;
  /** The group, and what follows the style. */
  readonly args: readonly string[];
  readonly place: Place;
  /** Whether something here shows it. */
  isUsed: boolean;
}

/** What a fix becomes: at the place in the file that is named. */
export interface FixParts {
  readonly scheme?: readonly Value[];
  readonly force?: readonly Value[];
  readonly drift?: readonly Value[];
  readonly dump?: readonly Value[];
  /** What it makes of minimizations. */
  readonly relaxes?: Slots;
  /** Whether it moves its group, so that nve of the same group is part of it. */
  readonly moves?: boolean;
  /** Whether it lets pressure act on the box of the integrator. */
  readonly isLast?: boolean;
}

export interface Fix extends FixParts {
  readonly id: string;
  readonly style: string;
  readonly group: string;
}

/** A `run` or `minimize`, with what was active then. */
export interface Stage {
  readonly steps?: number;
  readonly minimize?: Value;
  readonly fixes: readonly Fix[];
  readonly dumps: readonly Value[];
  readonly dt: number;
  /** What stands between it and the next. */
  readonly after: Batch;
}

/** Time steps of LAMMPS where none is set. */
const TIME_STEPS: Readonly<Record<string, number>> = { lj: 0.005, real: 1, metal: 0.001, si: 1e-8 };

/** What a script has said so far, while it is read. */
export class Script {
  readonly variables = new Variables();
  units = 'lj';
  crystal: Crystal = noCrystal;
  boundary = ['p', 'p', 'p'];
  /** Between faces that follow the particles and the last of these, where the box is wider by that. */
  readonly margins: (number | undefined)[] = [];
  box: ScriptBox | null = null;
  /** How particles come: ids of a file count as there, others from 0. */
  source: 'none' | 'box' | 'created' | 'file' = 'none';
  readonly types: ScriptType[] = [];
  readonly regions = new Map<string, ScriptRegion>();
  readonly groups = new Set(['all']);
  readonly fixes = new Map<string, Fix>();
  readonly dumps = new Map<string, Value>();
  readonly computes = new Map<string, ScriptCompute>();
  readonly pairs = new PairForces();
  skin: number | null = null;
  thermoEvery = 0;
  readonly thermo: { box?: true } = {};
  readonly minimizer = { style: 'cg' };
  timestep: number | null = null;
  /** What makes particles, before the first run. */
  readonly setup = new Batch();
  readonly stages: Stage[] = [];
  readonly forces = new Batch();
  /** Comments on fixes, before the integrators. */
  readonly scheme = new Batch();
  /** Comments on what is written, before the output. */
  readonly output = new Batch();
  /** Forces and walls of the first run, as a text: those of the file. */
  shared: string | null = null;
  /** Whether something became a comment. */
  isIncomplete = false;
  place: Place;
  readonly #skipped = new Set<string>();

  constructor(readonly file: string) {
    this.place = { file, line: 1 };
  }

  /** Where operators go that act at once. */
  get here(): Batch {
    return this.stages.at(-1)?.after ?? this.setup;
  }

  /** Where a command belongs that became a comment. */
  batchOf(command: string): Batch {
    if (/^\s*(pair|bond|angle|dihedral|improper|kspace|special|dielectric)/.test(command))
      return this.forces;
    if (/^\s*(un)?fix/.test(command)) return this.scheme;
    return /^\s*(un)?(dump|thermo|compute|restart)/.test(command) ? this.output : this.here;
  }

  get dt(): number {
    return this.timestep ?? TIME_STEPS[this.units]!;
  }

  /** What was not understood, as a comment where it stands. */
  skip(text: string, reason: string, where: Batch = this.here): void {
    this.isIncomplete = true;
    const { file, line } = this.place;
    const once = `${file}:${line} ${text}`; // a loop comes to it again
    if (this.#skipped.has(once)) return;
    this.#skipped.add(once);
    where.addComment(`line ${this.place.line}, not converted: ${text.trim()} (${reason})`);
  }

  note(text: string): void {
    this.here.addComment(text);
  }

  /** A mistake at the present command. */
  mistake(message: string): Error {
    return mistake(this.place, message);
  }

  /** A number, also of a variable `v_name`. */
  number(word: string | undefined, what = 'a number'): number {
    if (word === undefined) throw this.mistake(`${what} is missing at the end of the command`);
    if (word.startsWith('v_')) throw new Unmapped(`${word} changes while the run goes on`);
    const value = Number(word);
    if (word === '' || !Number.isFinite(value))
      throw this.mistake(`'${word}' is not ${what}: write a number`);
    return value;
  }

  whole(word: string | undefined): number {
    const value = this.number(word, 'a whole number');
    if (!Number.isSafeInteger(value) || value < 0)
      throw this.mistake(`'${word}' is not a whole number: write a whole number from 0`);
    return value;
  }

  /** `T` where two words say the same, else a ramp `[T, U]`. */
  ramp(args: readonly string[], at: number): Value {
    const [first, last] = [this.number(args[at]), this.number(args[at + 1])];
    return first === last ? first : [first, last];
  }

  /** Indices from 0 of `3`, `*`, `2*`, `*3`, `2*4`. */
  typeRange(word: string | undefined): number[] {
    const match = /^(\d*)(\*?)(\d*)$/.exec(word ?? '');
    if (!match || word === '')
      throw this.mistake(`'${word ?? ''}' is no particle type: write 1, * or 1*2`);
    const [, low, star, high] = match;
    const first = low ? Number(low) : 1;
    const last = star ? (high ? Number(high) : this.types.length) : first;
    if (first < 1 || last > this.types.length || first > last)
      throw this.mistake(`'${word}' is no particle type: there are ${this.types.length}`);
    return Array.from({ length: last - first + 1 }, (_, k) => first - 1 + k);
  }

  typeName(word: string | undefined): string {
    return this.types[this.typeRange(word)[0]!]!.name;
  }

  /** A group by its slot; none for all particles. */
  groupSlot(name: string | undefined): { readonly group?: string } {
    if (!name || !this.groups.has(name))
      throw this.mistake(`there is no group '${name ?? ''}': define it before`);
    return name === 'all' ? {} : { group: name };
  }

  /** Names a region in the file when it is first used. */
  regionName(id: string | undefined): string {
    const region = this.regions.get(id ?? '');
    if (!region) throw this.mistake(`there is no region '${id ?? ''}': define it before`);
    if (!region.isWritten) this.here.add('region', { name: id!, shape: region.shape });
    region.isWritten = true;
    return id!;
  }

  setTypes(count: number, labels: readonly string[] = []): void {
    if (!(count >= 1 && count <= 1000))
      throw this.mistake(`there are ${count} particle types: give from 1 to 1000`);
    for (let k = this.types.length; k < count; k++) {
      const label = labels[k];
      const isFree = label && !this.types.some(({ name }) => name === label);
      this.types.push({ name: isFree ? label : letter(k) });
    }
  }
}

/** A, B, … Z, T27, … */
const letter = (k: number): string => (k < 26 ? String.fromCharCode(65 + k) : `T${k + 1}`);
