import {
  CallByCallEngine,
  type CellCall,
  cellFunctor,
  completed,
  computeCellParticlePairs,
  computeCellParticles,
  createExecutionContext,
  type EngineOptions,
  explain,
  type FunctorFacts,
  type HostServices,
  computeCellParticles as onEngine,
  pairFunctor,
  prepareNeighborLists,
  reduceCellParticles,
  registerEngine,
  updateNeighbors,
} from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { addVelocity, forceNorms } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';

/** An engine written from the public exports alone: cell functors one particle after the other. */
class CellsOnly extends CallByCallEngine {
  readonly name: string = 'cells_only';
  readonly description = 'plain JavaScript';
  readonly precisions = ['f64'] as const;
  readonly host: HostServices;
  closed = false;

  constructor(host: HostServices) {
    super();
    this.host = host;
  }

  refuses({ kind }: FunctorFacts): string | null {
    return kind === 'cell' ? null : `it has no ${kind} functors`;
  }

  override computeCellParticles({ functor, grid, params }: CellCall) {
    const fields = functor.spec.kind === 'cell' ? Object.keys(functor.spec.fields) : [];
    const columns = fields.map((name) => {
      const { block, component } = grid.field(name);
      return { name, component, block: grid.block(block) };
    });
    for (let row = 0; row < grid.count; row++) {
      const particle: Record<string, number> = {};
      for (const { name, block, component } of columns)
        particle[name] = Number(block.array[row * block.spec.width + component]);
      functor.invoke(particle, params);
      for (const { name, block, component } of columns)
        (block.array as Float64Array)[row * block.spec.width + component] = particle[name]!;
    }
    for (const { block } of columns) block.hostWritten();
    return completed();
  }

  override async close(): Promise<void> {
    this.closed = true;
  }
}

let opened: { engine: CellsOnly; options: EngineOptions } | null = null;
registerEngine({
  name: 'cells_only',
  async open(options) {
    opened = { engine: new CellsOnly(options.host), options };
    return opened.engine;
  },
});
registerEngine({
  name: 'never_there',
  open: async () => ({ unavailable: 'its card is in another machine' }),
});

const params = { x: 1, y: 2, z: 3 };

describe('an engine that was registered from outside', () => {
  it('takes the calls it can, and the CPU takes the rest with the reason', async () => {
    await using ctx = await createExecutionContext({ backend: 'cells_only', threads: 2 });
    expect(ctx.backend).toBe('cells_only');
    expect(ctx.backendReason).toBe('plain JavaScript');
    expect(ctx.device).toBeNull();
    expect(explain(addVelocity, ctx)).toEqual({
      backend: 'cells_only',
      form: 'particle',
      reason: 'backend cells_only was asked for',
    });
    expect(explain(forceNorms, ctx)).toMatchObject({
      backend: 'cpu',
      reason: 'it has no reduce functors',
    });
  });

  it('works on the same particles as the CPU, whichever comes first', async () => {
    await using ctx = await createExecutionContext({ backend: 'cells_only', threads: 2 });
    const grid = filledGrid(ctx.heap, 300);
    const before = grid.values('vy');
    // Passes of the CPU are put off until they are needed: this engine needs them.
    computeCellParticles(grid, addVelocity, ctx, { params, backend: 'cpu' });
    onEngine(grid, addVelocity, ctx, { params });
    computeCellParticles(grid, addVelocity, ctx, { params, enableGpu: false });
    const sum = await reduceCellParticles(grid, forceNorms, {}, ctx);
    expect(grid.values('vy')).toEqual(before.map((v) => v + 2 + 2 + 2));
    await using cpu = await createExecutionContext({ backend: 'cpu', threads: 2 });
    const twin = filledGrid(cpu.heap, 300);
    expect(sum).toEqual(await reduceCellParticles(twin, forceNorms, {}, cpu));
  });

  it('finds the lists of the host, and pairs count the same', async () => {
    await using ctx = await createExecutionContext({ backend: 'cells_only', threads: 1 });
    const grid = filledGrid(ctx.heap, 300);
    const lists = prepareNeighborLists(grid, ctx, { rcut: 1, skin: 0.1 });
    expect(lists.explain).toMatchObject({
      backend: 'cpu',
      reason: 'backend cells_only has no lists of its own',
    });
    await lists.run();
    const near = pairFunctor({ name: 'near', central: { fx: 'real' } }, (i) => {
      i.fx += 1;
    });
    const outputs = { fx: 'total' } as const;
    const total = await computeCellParticlePairs(grid, near, ctx, { rcut: 1, outputs });
    let pairs = 0;
    const { array } = grid.block('position');
    opened!.options.host.neighborList(grid, 'full', 1).forEachPair((i, j, image) => {
      const shift = grid.domain.image(image);
      let r2 = 0;
      for (let k = 0; k < 3; k++)
        r2 += (Number(array[4 * i + k]) + shift[k]! - Number(array[4 * j + k])) ** 2;
      if (r2 < 1) pairs++;
    });
    expect(pairs).toBeGreaterThan(100);
    expect(total.fx).toBe(pairs);
    await updateNeighbors(grid, ctx, { rcut: 1, skin: 0.1 });
  });

  it('is closed with its context', async () => {
    const ctx = await createExecutionContext({ backend: 'cells_only', threads: 1 });
    const { engine, options } = opened!;
    expect(options).toMatchObject({ requested: 'cells_only', precision: 'f64' });
    await ctx.close();
    expect(engine.closed).toBe(true);
  });

  it('is refused where it cannot be had, with the reason', async () => {
    await expect(createExecutionContext({ backend: 'never_there' })).rejects.toMatchObject({
      code: 'NO_ADAPTER',
      message: expect.stringContaining('its card is in another machine'),
    });
    await expect(
      createExecutionContext({ backend: 'cells_only', precision: 'f32' }),
    ).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: expect.stringContaining('because it has f64'),
    });
    await expect(createExecutionContext({ backend: 'nobodys' })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
      message: expect.stringMatching(/backend is 'nobodys': give auto, cpu, webgpu, .*cells_only/),
    });
    await using cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const drift = cellFunctor({ name: 'drift', fields: { vx: 'real' } }, (i) => {
      i.vx += 1;
    });
    expect(() => explain(drift, cpu, { backend: 'cells_only' })).toThrow(/not made with it/);
  });

  it('cannot take a name that contexts have already', () => {
    const open = async () => ({ unavailable: 'never opened' });
    expect(() => registerEngine({ name: 'cpu', open })).toThrow(/another name/);
    expect(() => registerEngine({ name: 'auto', open })).toThrow(/another name/);
  });

  it('that does not refuse what it lacks says so', async () => {
    class Careless extends CellsOnly {
      override readonly name = 'careless';
      override refuses(): null {
        return null;
      }
    }
    registerEngine({ name: 'careless', open: async ({ host }) => new Careless(host) });
    await using ctx = await createExecutionContext({ backend: 'careless', threads: 1 });
    const grid = filledGrid(ctx.heap, 3);
    expect(() => reduceCellParticles(grid, forceNorms, {}, ctx)).toThrow(
      /was sent to backend careless, which does not refuse it/,
    );
  });
});
