import { type GpuKernel, type KernelParams, ParamRecord } from './GpuKernel.js';

const UNIFORM = 0x40;
const COPY_DST = 0x08;
/** Bytes of a buffer of records. */
const PAGE = 64 * 1024;
/** Sets of buffers remembered for a place: a sort swaps buffers, and the next one swaps them back. */
const MOST_GROUPS = 8;

/** A buffer of records, what it holds, and which part the device has not got yet. */
interface Page {
  readonly buffer: GPUBuffer;
  readonly record: ParamRecord;
  used: number;
  changedFrom: number;
  changedTo: number;
}

/** Where the parameters of a kernel's n-th dispatch of a batch live, and what it was bound to. */
export interface UniformPlace {
  readonly page: Page;
  readonly offset: number;
  readonly groups: { readonly buffers: readonly GPUBuffer[]; readonly group: GPUBindGroup }[];
}

/**
 * Parameters of dispatches. Batches are much like each other, so the n-th dispatch of a kernel in a batch has a place of its
 * own, with bind groups of its own: what it finds there is mostly what it needs, and nothing is written or bound anew.
 *
 *   page  [ kernel A, 1st | kernel B, 1st | kernel A, 2nd | … ]      records at multiples of 256 bytes
 *
 * The queue runs in order, so that what changes may be written before a batch although the one before still runs.
 */
export class Uniforms {
  readonly #device: GPUDevice;
  readonly #pages: Page[] = [];
  /** Kernels of the present batch. */
  readonly #kernels: GpuKernel[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Puts the parameters of a kernel's next dispatch in their place. @returns what binds them, and the buffers. */
  bind(kernel: GpuKernel, params: KernelParams, buffers: readonly GPUBuffer[]): GPUBindGroup {
    const place = this.#next(kernel);
    const { page, offset } = place;
    if (kernel.writeParams(page.record, offset, params)) {
      page.changedFrom = Math.min(page.changedFrom, offset);
      page.changedTo = Math.max(page.changedTo, offset + kernel.paramBytes);
    }
    const { groups } = place;
    for (let k = 0; k < groups.length; k++)
      if (areSame(groups[k]!.buffers, buffers)) return groups[k]!.group;
    return this.#bound(kernel, place, buffers);
  }

  /** Gives the device what has changed; a batch ends. */
  flush(): void {
    for (const page of this.#pages) {
      const { buffer, record, changedFrom, changedTo } = page;
      if (changedFrom >= changedTo) continue;
      const bytes = changedTo - changedFrom;
      this.#device.queue.writeBuffer(buffer, changedFrom, record.buffer, changedFrom, bytes);
      page.changedFrom = PAGE;
      page.changedTo = 0;
    }
    for (const kernel of this.#kernels) kernel.placesUsed = 0;
    this.#kernels.length = 0;
  }

  free(): void {
    for (const { buffer } of this.#pages) buffer.destroy();
    this.#pages.length = 0;
  }

  #next(kernel: GpuKernel): UniformPlace {
    if (kernel.placesUsed === 0) this.#kernels.push(kernel);
    const n = kernel.placesUsed++;
    let place = kernel.places[n];
    if (!place) {
      place = this.#place(kernel.paramBytes);
      kernel.places.push(place);
    }
    return place;
  }

  #place(bytes: number): UniformPlace {
    let page = this.#pages.at(-1);
    if (!page || page.used + bytes > PAGE) {
      const usage = UNIFORM | COPY_DST;
      const buffer = this.#device.createBuffer({ label: 'parameters', size: PAGE, usage });
      const record = new ParamRecord(PAGE);
      page = { buffer, record, used: 0, changedFrom: PAGE, changedTo: 0 };
      this.#pages.push(page);
    }
    const offset = page.used;
    page.used += bytes;
    return { page, offset, groups: [] };
  }

  #bound(kernel: GpuKernel, place: UniformPlace, buffers: readonly GPUBuffer[]): GPUBindGroup {
    const { page, offset } = place;
    const uniform = { buffer: page.buffer, offset, size: kernel.paramBytes };
    const group = this.#device.createBindGroup({
      label: kernel.label,
      layout: kernel.bufferLayout,
      entries: [
        ...buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
        { binding: buffers.length, resource: uniform },
      ],
    });
    if (place.groups.length === MOST_GROUPS) place.groups.shift();
    place.groups.push({ buffers: [...buffers], group });
    return group;
  }
}

function areSame(some: readonly GPUBuffer[], others: readonly GPUBuffer[]): boolean {
  for (let k = 0; k < some.length; k++) if (some[k] !== others[k]) return false;
  return true;
}
