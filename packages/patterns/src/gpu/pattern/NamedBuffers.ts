/** Few buffers by name. Emptied and filled several times a step, which a Map would pay for with new tables. */
export class NamedBuffers {
  readonly #names: string[] = [];
  readonly #buffers: GPUBuffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(name: string): boolean {
    return this.#at(name) < this.#size;
  }

  /** The buffer of that name, which must have been put there. */
  get(name: string): GPUBuffer {
    return this.#buffers[this.#at(name)]!;
  }

  put(name: string, buffer: GPUBuffer): void {
    const at = this.#at(name);
    this.#names[at] = name;
    this.#buffers[at] = buffer;
    if (at === this.#size) this.#size++;
  }

  clear(): void {
    this.#size = 0;
  }

  #at(name: string): number {
    let k = 0;
    while (k < this.#size && this.#names[k] !== name) k++;
    return k;
  }
}
