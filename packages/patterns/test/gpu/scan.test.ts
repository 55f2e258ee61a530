import { expect, it } from 'vitest';
import { createGpuEngine } from '../../src/gpu/createGpuEngine.js';
import { ExclusiveScan } from '../../src/gpu/sort/ExclusiveScan.js';
import { sequence } from '../shared/oracle.js';
import { describeGpu } from '../support/gpu.js';

describeGpu('prefix sums on WebGPU', () => {
  it('are those of the host, by one workgroup, by tiles, and by tiles of tiles', async () => {
    const engine = await createGpuEngine({ software: true });
    const { gpu } = engine;
    const scan = new ExclusiveScan(gpu);
    const next = sequence(4);
    for (const count of [1, 7, 2048, 2049, 16_384, 16_385, 50_000, 2048 * 9 * 8 + 3]) {
      const values = Uint32Array.from({ length: count }, () => Math.floor(5 * next()));
      const buffer = gpu.buffer('values', 4 * Math.ceil(count / 4) * 4);
      gpu.stream.upload(buffer, new Uint8Array(values.slice().buffer));
      scan.run(buffer, count);
      const readback = gpu.stream.read(buffer, 4 * count);
      readback.hurry();
      const sums = new Uint32Array(await readback.data);
      let sum = 0;
      const expected = values.map((value) => {
        sum += value;
        return sum - value;
      });
      expect(sums.findIndex((value, k) => value !== expected[k])).toBe(-1);
      gpu.release(buffer);
    }
    await engine.close();
  });
});
