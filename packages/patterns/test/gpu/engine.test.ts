import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Domain } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { bundleScript } from '../../../../test/support/bundleScript.js';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import { probeGpu } from '../../src/gpu/device/findAdapter.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { addVelocity, forceNorms } from '../shared/functors.js';
import { gridOf } from '../shared/grids.js';
import { filledGrid } from '../shared/oracle.js';
import { describeGpu, engineOf, gpuContext, openEngine } from '../support/gpu.js';

const one = { x: 1, y: 1, z: 1 };

describeGpu('the GPU engine', () => {
  it('says what the adapter is, with the adapter’s own limits', async () => {
    const info = await probeGpu({ software: true });
    expect(info).toMatchObject({ available: true, reason: '' });
    expect(info.adapter.length).toBeGreaterThan(3);
    const engine = await openEngine();
    const { limits } = engine.gpu.device;
    expect(limits.maxStorageBufferBindingSize).toBe(info.limits.maxStorageBufferBindingSize);
    await engine.close();
  });

  it('never takes a software adapter by itself', async () => {
    const { software, available, reason } = await probeGpu({ software: false });
    expect(software).toBe(false);
    if (!available) expect(reason.length).toBeGreaterThan(20);
  });

  it('turns the loss of the device into an error that names the operation', async () => {
    const ctx = await gpuContext();
    const grid = filledGrid(ctx.heap, 100);
    await computeCellParticles(grid, addVelocity, ctx, { params: one });
    const lost = engineOf(ctx).gpu.device;
    lost.destroy();
    await lost.lost;
    const error = {
      code: 'DEVICE_LOST',
      message: expect.stringContaining('add_velocity'),
    };
    await expect(newestOnHost(grid, ctx)).rejects.toMatchObject(error);
    expect(() => computeCellParticles(grid, addVelocity, ctx, { params: one })).toThrow(
      expect.objectContaining(error),
    );
    await ctx.close();
  });

  it('turns a loss in the middle of a read-back into the same error', async () => {
    const ctx = await gpuContext();
    const grid = filledGrid(ctx.heap, 100);
    const handle = reduceCellParticles(grid, forceNorms, {}, ctx);
    const result = handle.wait();
    engineOf(ctx).gpu.device.destroy();
    await expect(result).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    await ctx.close();
  });

  it('refuses what exceeds a limit of the device, saying how much that is', async () => {
    const engine = await openEngine();
    const tooMuch = 2 ** 45;
    expect(() => engine.gpu.buffer('neighbor lists', tooMuch)).toThrow(
      expect.objectContaining({
        code: 'OUT_OF_MEMORY',
        message: expect.stringMatching(/neighbor lists.*MiB/),
      }),
    );
    await engine.close();
  });

  it('reports a shader that does not compile under its name, and goes on', async () => {
    const engine = await openEngine();
    const { gpu } = engine;
    const kernel = (body: string) =>
      gpu.kernel({ label: 'broken', workgroupSize: 1, buffers: [], params: {}, body });
    for (let k = 0; k < 2; k++)
      expect(() => kernel('let x: u32 = 1.5;')).toThrow(
        expect.objectContaining({
          code: 'DEVICE_VALIDATION',
          message: expect.stringContaining('broken'),
        }),
      );
    await new Promise((r) => setTimeout(r, 50));
    expect(gpu.failure).toBeNull();
    expect(kernel('let x: u32 = 1;').label).toBe('broken');
    await engine.close();
  });

  it('uses a device it is given, and leaves it alive', async () => {
    const owner = await openEngine();
    const { device } = owner.gpu;
    const ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32', device });
    const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), [[1, 1, 1]]);
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
    await ctx.close();
    expect(() => computeCellParticles(grid, addVelocity, ctx, { params: one })).toThrow(
      expect.objectContaining({ code: 'CLOSED' }),
    );
    await owner.gpu.stream.finished();
    await owner.close();
  });

  it('lets the process end by itself after close', async () => {
    const script = fileURLToPath(new URL('../fixtures/gpuExit.ts', import.meta.url));
    const home = mkdtempSync(join(tmpdir(), 'corpuscle-gpu-exit-'));
    const bundle = join(home, 'gpuExit.mjs');
    await bundleScript(script, bundle);
    const child = spawn(process.execPath, [bundle], {
      env: { ...process.env, CORPUSCLE_SOFTWARE_GPU: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    rmSync(home, { recursive: true });
    expect(output.trim()).toBe('closed 3');
    expect(code).toBe(0);
  });
});
