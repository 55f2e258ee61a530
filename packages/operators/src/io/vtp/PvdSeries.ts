import { path } from '@corpuscle/core/platform';

/** Milliseconds between two looks at a list that grows. */
const PATIENCE = 1000;

/**
 * The list of a series of files for ParaView (`.pvd`): which file belongs to which time. It is written whole, at most once a
 * second and at the end, so that a series of any length costs little.
 */
export class PvdSeries {
  readonly file: string;
  readonly #put: (name: string, pieces: Iterable<string>) => void | Promise<void>;
  readonly #entries: string[] = [];
  #written = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(file: string, put: (name: string, pieces: Iterable<string>) => void | Promise<void>) {
    this.file = file;
    this.#put = put;
  }

  /** The name of a member: `a.pvd` and 100 give `a.100.vtp`. */
  member(step: number, ending: string): string {
    return `${this.file.replace(/\.[^./\\]*$/, '')}.${step}${ending}`;
  }

  /** A member has been written. */
  async add(name: string, time: number): Promise<void> {
    const file = path.basename(name).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
    this.#entries.push(`    <DataSet timestep="${time}" group="" part="0" file="${file}"/>\n`);
    if (performance.now() - this.#written >= PATIENCE) await this.write();
  }

  /** Writes the list, where it has grown. */
  async write(): Promise<void> {
    if (this.#count === this.#entries.length) return;
    this.#count = this.#entries.length;
    this.#written = performance.now();
    await this.#put(this.file, [
      '<?xml version="1.0"?>\n<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">\n  <Collection>\n',
      ...this.#entries,
      '  </Collection>\n</VTKFile>\n',
    ]);
  }

  /** Completes the list so far. @returns what a run needs that goes on */
  async save(): Promise<readonly string[]> {
    await this.write();
    return [...this.#entries];
  }

  /** Takes back what `save` gave. */
  restore(entries: readonly string[]): void {
    this.#entries.push(...entries);
  }
}
