import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '@corpuscle/cli';
import { type CorpuscleError, SharedHeap } from '@corpuscle/core';
import {
  cellFunctor,
  createExecutionContext,
  type ExecutionContext,
  explain,
  pairFunctor,
  reduceFunctor,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../src/index.js';

const melt = join(import.meta.dirname, '../../../examples/01-lj-melt.yaml');

describe('backend webgl', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_WEBGL_MODE = 'webasm';
    ctx = await createExecutionContext({ backend: 'webgl', threads: 1, heap: new SharedHeap() });
  });
  afterAll(async () => {
    await ctx.close();
    delete process.env.CORPUSCLE_WEBGL_MODE;
  });

  const scale = cellFunctor({ name: 'scale', fields: { vx: 'real' } }, (i) => {
    i.vx *= 2;
  });

  it('runs what it can, and leaves the rest to the CPU', () => {
    expect(explain(scale, ctx)).toEqual({
      backend: 'webgl',
      form: 'particle',
      reason: 'backend webgl was asked for',
    });
    const sum = reduceFunctor(
      { name: 'sum', result: { vx: 'sum' }, read: { vx: 'real' } },
      (acc, i) => {
        acc.vx += i.vx;
      },
    );
    expect(explain(sum, ctx).backend).toBe('webgl');
    const near = pairFunctor({ name: 'near', central: { fx: 'real' } }, (i, _j, d) => {
      i.fx += d.x;
    });
    expect(explain(near, ctx)).toMatchObject({ backend: 'webgl', form: 'bufferless' });
    expect(explain(near, ctx, { form: 'buffered' })).toMatchObject({
      backend: 'cpu',
      reason: expect.stringContaining('WebGL has the bufferless form only'),
    });
  });

  it('says what it cannot take, and why', () => {
    const hash = cellFunctor({ name: 'hash', fields: { type: 'u32' } }, (i, _p, h) => {
      i.type = h.u32((i.type ^ 2654435769) >>> 16);
    });
    expect(explain(hash, ctx)).toMatchObject({
      backend: 'cpu',
      reason: 'gpu.js keeps integers as floats, which have no 32 bits to operate on',
    });
    const table = cellFunctor({ name: 'table', fields: { vx: 'real' } }, (i, _p, h) => {
      const values = [1, 2, 3];
      i.vx = values[h.i32(i.vx)]!;
    });
    expect(explain(table, ctx).reason).toContain(
      "no local arrays with a computed index ('values')",
    );
    const plain = cellFunctor(
      { name: 'plain', fields: { vx: 'real' }, traits: { gpu: false } },
      (i) => {
        i.vx = 1;
      },
    );
    expect(explain(plain, ctx).reason).toContain('gpu: false');
    const coldest = reduceFunctor(
      { name: 'coldest', result: { vx: 'argmin' }, read: { vx: 'real' } },
      (acc, i) => {
        acc.vx = Math.min(acc.vx, i.vx);
      },
    );
    expect(explain(coldest, ctx).reason).toContain('more than sums, minima and maxima');
    expect(explain(scale, ctx, { cells: [0] } as object).reason).toContain("the option 'cells'");
    expect(explain(scale, ctx, { enableGpu: false }).reason).toContain('enableGpu: false');
  });

  it('refuses what it cannot compute, instead of computing something else', async () => {
    await expect(
      createExecutionContext({ backend: 'webgl', precision: 'f64' }),
    ).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      message: expect.stringContaining('computes in f32'),
    });
    delete process.env.CORPUSCLE_WEBGL_MODE;
    expect(process.env.CORPUSCLE_WEBGL_MODE).toBeUndefined();
    await expect(createExecutionContext({ backend: 'webgl' })).rejects.toSatisfy(
      (error: CorpuscleError) =>
        error.code === 'NO_ADAPTER' && /no WebGL 2 here/.test(error.message),
    );
    process.env.CORPUSCLE_WEBGL_MODE = 'webasm';
    await using cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
    expect(() => explain(scale, cpu, { backend: 'webgl' })).toThrow(/not made with it/);
  });

  it('runs the melt as the CPU does', async () => {
    const rows: number[][][] = [];
    for (const backend of ['webgl', 'cpu']) {
      const output = mkdtempSync(join(tmpdir(), 'corpuscle-webgl-'));
      let printed = '';
      const print = (text: string) => {
        printed += text;
      };
      const streams = { out: print, err: print, terminal: false };
      const options = ['--set', 'setup_system.0.lattice.repeat=[4,4,4]', '--no-progress'];
      const code = await main(
        [
          'run',
          melt,
          '--backend',
          backend,
          ...options,
          '--set',
          'global.end_iteration=20',
          '--set',
          'global.thermo_frequency=5',
          '--threads',
          '1',
          '--output',
          output,
        ],
        streams,
      );
      expect(printed).toContain(
        backend === 'webgl' ? 'webgl (gpu.js in mode webasm (in software))' : 'cpu',
      );
      expect(code).toBe(0);
      const [, ...lines] = readFileSync(join(output, 'thermo.csv'), 'utf8').trim().split('\n');
      rows.push(lines.map((line) => line.split(',').map(Number)));
    }
    const [webgl, cpu] = rows as [number[][], number[][]];
    expect(webgl).toHaveLength(5);
    webgl.forEach((row, k) => {
      // temperature, energies, pressure; single precision, 20 steps
      for (const column of [2, 3, 4, 5, 6]) {
        const expected = cpu[k]![column]!;
        expect(Math.abs(row[column]! - expected)).toBeLessThan(
          3e-5 * Math.max(1, Math.abs(expected)),
        );
      }
    });
  });
});
