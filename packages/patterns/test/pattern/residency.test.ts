import type { FieldBlock } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { afterEach, describe, expect, it } from 'vitest';
import { openHost } from '../../src/context/builtinEngines.js';
import { settingsOf } from '../../src/context/createExecutionContext.js';
import { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { CallByCallEngine } from '../../src/engine/CallByCallEngine.js';
import type { Device } from '../../src/engine/Engine.js';
import { newCounters } from '../../src/gpu/device/GpuCounters.js';
import { completed } from '../../src/handles/handles.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { explain } from '../../src/pattern/explain.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import type { CellCall } from '../../src/plan/calls.js';
import { addVelocity, forceNorms } from '../shared/functors.js';
import { cellOracle, filledGrid, snapshot } from '../shared/oracle.js';

/**
 * A device that only pretends: it keeps what it computes to itself until asked, as a GPU does, and downloads take time.
 * That makes the order of transfers and calls testable without an adapter.
 */
class PretendedGpu extends CallByCallEngine implements Device {
  readonly name = 'webgpu';
  readonly precisions = ['f32', 'mixed', 'f64'] as const;
  readonly description = 'a pretended device';
  readonly device = this;
  readonly idle = true;
  readonly counters = newCounters();
  operator = '';
  readonly log: string[] = [];
  readonly #results = new Map<FieldBlock, Float64Array>();

  override computeCellParticles({ grid, functor, params }: CellCall) {
    const block = grid.block('velocity');
    const kept = Float64Array.from(block.array as Float64Array);
    const fields = snapshot(grid);
    const latest = this.#results.get(block);
    if (latest && block.deviceVersion >= block.hostVersion) {
      ['vx', 'vy', 'vz'].forEach((name, c) => {
        fields.get(name)!.forEach((_, k, all) => {
          all[k] = latest[4 * k + c]!;
        });
      });
    }
    cellOracle(functor, fields, params);
    ['vx', 'vy', 'vz'].forEach((name, c) => {
      fields.get(name)!.forEach((value, k) => {
        kept[4 * k + c] = value;
      });
    });
    this.#results.set(block, kept);
    block.deviceWritten();
    this.log.push(`run ${functor.name}`);
    return completed();
  }

  async newestOnHost(blocks: readonly FieldBlock[]): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const block of blocks) {
      this.log.push(`download ${block.spec.name}`);
      const result = this.#results.get(block);
      if (result) (block.array as Float64Array).set(result);
      block.synchronized();
    }
  }

  override blockParallelFor() {
    return completed({ reals: new Float64Array(), ids: new Uint32Array() });
  }
  override reduceCellParticles() {
    return completed({});
  }
  override computeCellParticlePairs() {
    return completed({});
  }
  override reduceRecords() {
    return completed({ reals: new Float64Array(), ids: new Uint32Array() });
  }
  fetchCells = async () => {};
  finished = () => Promise.resolve();
  startProfile = () => {};
  profile = () => Promise.reject(new Error('not used'));
  started = async () => {};
}

let gpu: PretendedGpu;
let ctx: ExecutionContext;
afterEach(() => ctx.close());

const open = (options: { backend?: 'auto' | 'webgpu' | 'cpu' } = {}) => {
  gpu = new PretendedGpu();
  const settings = settingsOf({ threads: 2, ...options });
  const host = openHost(settings);
  const engines = { host, accelerator: gpu, lookedFor: 'webgpu', reason: gpu.description };
  ctx = new ExecutionContext(settings, engines);
};

const onlyCpu = cellFunctor(
  { name: 'only_cpu', fields: { vx: 'real' }, traits: { gpu: false } },
  (i) => {
    i.vx = 2 * i.vx;
  },
);
const params = { x: 1, y: 0, z: 0 };

describe('a call on the CPU', () => {
  it('first downloads what the device has written, and its handle says when it is done', async () => {
    open();
    const grid = filledGrid(ctx.heap, 100);
    const before = grid.values('vx');
    computeCellParticles(grid, addVelocity, ctx, { params });
    const handle = computeCellParticles(grid, onlyCpu, ctx);
    expect(handle.done).toBe(false);
    await handle;
    expect(gpu.log).toEqual(['run add_velocity', 'download velocity']);
    expect(grid.values('vx')).toEqual(before.map((x) => 2 * (x + 1)));
    const { hostVersion, deviceVersion } = grid.block('velocity');
    expect(hostVersion).toBeGreaterThan(deviceVersion);
  });

  it('moves nothing that the host already has, and completes at once', () => {
    open();
    const grid = filledGrid(ctx.heap, 100);
    expect(computeCellParticles(grid, onlyCpu, ctx).done).toBe(true);
    computeCellParticles(grid, addVelocity, ctx, { params });
    expect(reduceCellParticles(grid, forceNorms, {}, ctx, { enableGpu: false }).done).toBe(true);
    expect(gpu.log).toEqual(['run add_velocity']);
  });

  it('keeps program order with later calls of both backends', async () => {
    open();
    const grid = filledGrid(ctx.heap, 100);
    const before = grid.values('vx');
    computeCellParticles(grid, addVelocity, ctx, { params });
    computeCellParticles(grid, onlyCpu, ctx);
    computeCellParticles(grid, addVelocity, ctx, { params });
    const last = computeCellParticles(grid, onlyCpu, ctx);
    await last;
    expect(gpu.log).toEqual([
      'run add_velocity',
      'download velocity',
      'run add_velocity',
      'download velocity',
    ]);
    expect(grid.values('vx')).toEqual(before.map((x) => 2 * (2 * (x + 1) + 1)));
  });
});

describe('a call on the GPU', () => {
  it('waits for background CPU work on the same blocks', async () => {
    open();
    const grid = filledGrid(ctx.heap, 10_000);
    const before = grid.values('vx');
    const handle = computeCellParticles(grid, addVelocity, ctx, {
      params,
      enableGpu: false,
      asynchronous: true,
    });
    computeCellParticles(grid, addVelocity, ctx, { params });
    await newestOnHost(grid, ctx, ['vx']);
    await handle;
    expect(grid.values('vx')).toEqual(before.map((x) => x + 2));
  });
});

describe('newestOnHost', () => {
  it('fetches the blocks of the fields that were asked for, once', async () => {
    open();
    const grid = filledGrid(ctx.heap, 10);
    computeCellParticles(grid, addVelocity, ctx, { params });
    await newestOnHost(grid, ctx, ['fx']);
    expect(gpu.log).toEqual(['run add_velocity']);
    await newestOnHost(grid, ctx, ['vx', 'vy']);
    await newestOnHost(grid, ctx);
    expect(gpu.log).toEqual(['run add_velocity', 'download velocity']);
  });
});

describe('the context', () => {
  it.each([
    ['auto', 'webgpu'],
    ['webgpu', 'webgpu'],
    ['cpu', 'cpu'],
  ] as const)('asked for %s runs functors on %s', (asked, backend) => {
    open({ backend: asked });
    expect(ctx.backend).toBe(backend);
    expect(explain(addVelocity, ctx).backend).toBe(backend);
    expect(explain(onlyCpu, ctx)).toMatchObject({ backend: 'cpu' });
  });
});
