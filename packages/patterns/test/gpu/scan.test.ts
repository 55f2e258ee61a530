import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import type { GpuDevice } from '../../src/gpu/device/GpuDevice.js';
import type { KernelSource } from '../../src/gpu/device/GpuKernel.js';
import { ExclusiveScan } from '../../src/gpu/sort/ExclusiveScan.js';
import { SortScratch } from '../../src/gpu/sort/SortScratch.js';
import { tileText } from '../../src/gpu/sort/tileText.js';
import { sequence } from '../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../support/gpu.js';

/** Counts how often each number comes up. */
const countKernel: KernelSource = {
  label: 'test: count',
  workgroupSize: 128,
  buffers: [
    { name: 'numbers', type: 'array<u32>', access: 'read' },
    { name: 'scratch', type: 'array<atomic<u32>>', access: 'read_write' },
  ],
  params: { count: 'u32', counts: 'u32', ...tileText.params },
  declarations: tileText.declarations,
  body: `
  var at = 0u;
  if (index < P.count) {
    at = numbers[index];
    atomicAdd(&scratch[P.counts + at], 1u);
  }
  addToTile(lane, index < P.count, at);`,
};

function bufferOf(gpu: GpuDevice, values: Uint32Array): GPUBuffer {
  const buffer = gpu.buffer('numbers', values.byteLength);
  gpu.stream.upload(buffer, new Uint8Array(values.buffer as ArrayBuffer));
  return buffer;
}

async function read(
  gpu: GpuDevice,
  buffer: GPUBuffer,
  count: number,
  from = 0,
): Promise<Uint32Array> {
  const readback = gpu.stream.read(buffer, 4 * count, 4 * from);
  readback.hurry();
  return new Uint32Array(await readback.data);
}

describeGpu('a scan on WebGPU', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx.close());

  const orders: Readonly<Record<string, (numbers: Uint32Array) => Uint32Array>> = {
    ascending: (numbers) => numbers.sort(),
    descending: (numbers) => numbers.sort().reverse(),
    random: (numbers) => numbers,
  };

  it.each(Object.keys(orders))(
    'finds how many are less than each number, of numbers in %s order',
    async (order) => {
      const { gpu } = engineOf(ctx);
      const scan = new ExclusiveScan(gpu);
      const scratch = new SortScratch(gpu);
      const kernel = gpu.kernel(countKernel);
      // Tiles have 2,048 counts. Larger and smaller scans follow each other, which find zeros where others have counted.
      for (const cells of [1, 2048, 70_001, 5, 2049, 1_300_000, 9000, 70_001, 70_001]) {
        const count = Math.min(100_000, 3 * cells) + 77;
        const next = sequence(cells);
        const numbers = Uint32Array.from({ length: count }, () => Math.floor(cells * next()));
        const given = bufferOf(gpu, orders[order]!(numbers));
        const start = gpu.buffer('start', 4 * (cells + 1));
        const buffer = scratch.reserve({ cells, count, packs: false });
        const { counts, totals } = scratch;
        gpu.stream.dispatchThreads(kernel, [given, buffer], { count, counts, totals }, count);
        scan.run(buffer, scratch, start, cells);
        const found = await read(gpu, start, cells + 1);
        const wanted = new Uint32Array(cells + 1);
        for (const number of numbers) wanted[number + 1]!++;
        for (let k = 0; k < cells; k++) wanted[k + 1]! += wanted[k]!;
        expect(found.findIndex((sum, k) => sum !== wanted[k])).toBe(-1);
        const left = await read(gpu, buffer, cells, counts);
        expect(left.findIndex((value) => value !== 0)).toBe(-1);
        gpu.release(given);
        gpu.release(start);
      }
    },
  );
});
