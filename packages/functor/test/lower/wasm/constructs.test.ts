import { setFlagsFromString } from 'node:v8';
import { describe, expect, it } from 'vitest';
import type { RoleName } from '../../../src/ir.js';
import type { LaneShape, LaneValue } from '../../../src/lower/wasm/BodyEnv.js';
import { FunctionBuilder } from '../../../src/lower/wasm/FunctionBuilder.js';
import { scratchBytes } from '../../../src/lower/wasm/localArrays.js';
import { lowerBody } from '../../../src/lower/wasm/lowerBody.js';
import {
  constructCases as cases,
  type Fields,
  functorOf,
  helpers,
  params,
  samples,
  tables,
} from '../../support/constructCases.js';
import { type RunnerOptions, wasmRunner } from '../../support/wasmRunner.js';

const uniform = (role: string, field: string) =>
  role === 'p' || (role === 'i' && (field === 'q' || field === 'type'));
const two = { lanes: 2, real: 'f64' } as const;
const forms: Record<string, RunnerOptions> = {
  'one lane': { lanes: 1, real: 'f64' },
  'one lane, scratch memory': { lanes: 1, real: 'f64', scratch: true },
  'two lanes': two,
  'two lanes, scratch memory': { ...two, scratch: true },
  'two neighbors, hoisted': { ...two, uniform, hoist: true },
  'two lanes, second off': { ...two, liveLanes: 1 },
  'four lanes': { lanes: 4, real: 'f32' },
  'four lanes, scratch memory, two off': { lanes: 4, real: 'f32', scratch: true, liveLanes: 2 },
  'one lane of f32': { lanes: 1, real: 'f32' },
};

// Each case runs in every form and is compared with the direct call.
describe.each(Object.entries(forms))('%s', (_, options) => {
  it.each(Object.entries(cases))('%s', (name, fn) => {
    const runner = wasmRunner(functorOf(name, fn).ir!, options);
    const tolerance = options.real === 'f64' ? 1e-13 : 2e-5;
    const all = samples(options.uniform !== undefined, options.lanes);
    for (let first = 0; first < all.length; first += options.lanes) {
      const group = all.slice(first, first + options.lanes);
      const expected = group.map(({ i, j, d }, k) => {
        const copy: Fields = { ...i };
        if (k < (options.liveLanes ?? options.lanes)) fn(copy, j, d, params, helpers);
        return copy;
      });
      runner.run(group, tables);
      group.forEach(({ i }, k) => {
        for (const field of ['s', 't', 'w', 'n'] as const) {
          const wanted = expected[k]![field]!;
          expect(
            Math.abs(i[field] - wanted),
            `${field} of ${i[field]}, ${wanted}`,
          ).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(wanted)));
        }
      });
    }
  });
});

describe('what the code looks like', () => {
  const opcodes = (name: string, options: LaneShape): string => {
    const builder = new FunctionBuilder('f', []);
    const field = (role: RoleName): LaneValue =>
      role === 'p'
        ? { uniform: true, type: 'real', node: ['f64.const', 2] }
        : { uniform: false, type: 'real', node: builder.get(builder.local('v128')) };
    lowerBody(functorOf(name, cases[name]!).ir!, {
      builder,
      ...options,
      env: {
        uniform: (role: RoleName): boolean => role === 'p',
        field,
        item: () => field('p'),
        write: (_role, _field, _op, value, mask) => {
          builder.emit(['drop', value.node]);
          if (mask) builder.emit(['drop', mask]);
        },
        writeItem: () => {},
      },
    });
    return JSON.stringify(builder.body);
  };

  it('a cutoff is one and-not, without a branch', () => {
    const text = opcodes('early return', two);
    expect(text).not.toContain('any_true');
    expect(text).not.toContain('"if"');
    expect(text).toContain('v128.andnot');
  });

  it('a uniform loop after a divergent return is a real loop with a scalar counter', () => {
    const text = opcodes('uniform counter after a divergent return', two);
    expect(text).toContain('i32.lt_s');
    expect(text).not.toContain('i32x4.lt_s');
  });

  it('a counter is a scalar where lanes leave its loop at different turns', () => {
    const text = opcodes('counter of a loop that lanes leave at different turns', two);
    expect(text).toContain('i32.add');
    expect(text).not.toContain('i32x4.add');
    expect(opcodes('counter that is looked at after its loop', two)).toContain('i32x4.add');
  });

  it('heavy branches are skipped when no lane takes them', () => {
    expect(opcodes('heavy branches', two)).toContain('any_true');
  });

  it('scratch memory is asked for by arrays of more than four elements', () => {
    const ir = functorOf('local arrays', cases['local arrays']!).ir!;
    expect(scratchBytes(ir.body)).toBe(16 * (6 + 5 + 6));
    expect(scratchBytes(functorOf('math', cases.math!).ir!.body)).toBe(0);
  });

  it('rejects lanes that do not fill a vector', () => {
    expect(() => wasmRunner(functorOf('math', cases.math!).ir!, { lanes: 2, real: 'f32' })).toThrow(
      /fill a vector/,
    );
  });
});

describe('relaxed multiply-add', () => {
  it('agrees to rounding with separate operations', () => {
    const functor = functorOf('math', cases.math!);
    setFlagsFromString('--experimental-wasm-relaxed-simd');
    const relaxed = wasmRunner(functor.ir!, { ...two, relaxed: true });
    const plain = wasmRunner(functor.ir!, two);
    expect(relaxed.bytes).not.toEqual(plain.bytes);
    const [a, b] = [samples(false, 2).slice(0, 2), samples(false, 2).slice(0, 2)];
    relaxed.run(a, tables);
    plain.run(b, tables);
    a.forEach(({ i }, k) => {
      for (const field of ['s', 't', 'w'] as const)
        expect(i[field]).toBeCloseTo(b[k]!.i[field], 11);
    });
  });
});
