import { CorpuscleError } from '@corpuscle/core';

// Numbers of GPUBufferUsage, which is a global only after Dawn has been loaded.
const USAGE = { storage: 0x80 | 0x04 | 0x08, uniform: 0x40 | 0x08, read: 0x01 | 0x08 } as const;

/** The buffers of a view by name; they grow as pictures and particles need. */
export class Buffers {
  readonly #device: GPUDevice;
  readonly #all = new Map<string, GPUBuffer>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /**
   * The buffer of a name with room for so many bytes; it may be another than before, and empty.
   * @throws CorpuscleError OUT_OF_MEMORY where one buffer of the device cannot be so large.
   */
  of(name: string, bytes: number, kind: keyof typeof USAGE = 'storage'): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const found = this.#all.get(name);
    if (found && found.size >= size) return found;
    const { maxBufferSize, maxStorageBufferBindingSize } = this.#device.limits;
    const most = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    if (size > most)
      throw new CorpuscleError(
        'OUT_OF_MEMORY',
        `${name} of the view need ${size} bytes, and one buffer of this GPU holds at most ${most}: make the picture smaller, or take fewer samples`,
      );
    found?.destroy();
    const buffer = this.#device.createBuffer({ label: `view: ${name}`, size, usage: USAGE[kind] });
    this.#all.set(name, buffer);
    return buffer;
  }

  /** The same with these numbers in it. */
  filled(
    name: string,
    data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>,
    kind: keyof typeof USAGE = 'storage',
  ): GPUBuffer {
    const buffer = this.of(name, data.byteLength, kind);
    this.#device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  free(): void {
    for (const buffer of this.#all.values()) buffer.destroy();
    this.#all.clear();
  }
}
