import { describe, expect, it } from 'vitest';
import {
  chooseBackend,
  type Decision,
  type DispatchOptions,
  type FunctorFacts,
  type Machine,
} from '../../src/plan/chooseBackend.js';

/**
 * The whole matrix trait × option × machine. Each axis lists all its values; the expectations below are written as the
 * rules of the documentation, independently of the code, and every combination is checked against them.
 */
const axes = {
  kind: ['block', 'cell', 'reduce', 'pair'],
  gpuTrait: [true, false],
  compiled: [true, false],
  forms: ['both', 'buffered', 'bufferless', 'neither'],
  sums: [true, false],
  enableGpu: [undefined, true, false],
  callBackend: [undefined, 'auto', 'cpu', 'webgpu'],
  form: [undefined, 'auto', 'buffered', 'bufferless'],
  requested: ['auto', 'cpu', 'webgpu'],
  precision: ['f64', 'f32', 'mixed'],
  gpu: ['none', 'f32 only', 'f32 and mixed', 'all'],
} as const;

type Case = { [A in keyof typeof axes]: (typeof axes)[A][number] };
type Expected = Pick<Decision, 'backend' | 'form'> | { error: string };

const gpus = {
  none: null,
  'f32 only': { name: 'webgpu', precisions: ['f32'] },
  'f32 and mixed': { name: 'webgpu', precisions: ['f32', 'mixed'] },
  all: { name: 'webgpu', precisions: ['f64', 'f32', 'mixed'] },
} as const;

function* combinations(): Generator<Case> {
  const names = Object.keys(axes) as (keyof typeof axes)[];
  const counts = names.map((name) => axes[name].length);
  const total = counts.reduce((a, b) => a * b, 1);
  for (let number = 0; number < total; number++) {
    let rest = number;
    const one: Record<string, unknown> = {};
    names.forEach((name, k) => {
      one[name] = axes[name][rest % counts[k]!];
      rest = Math.floor(rest / counts[k]!);
    });
    // Only pair functors have forms and sums; arbitrary JavaScript always has gpu: false.
    if (
      one.kind !== 'pair' &&
      (one.forms !== 'both' || one.sums !== true || one.form !== undefined)
    )
      continue;
    if (one.compiled === false && one.gpuTrait === true) continue;
    yield one as Case;
  }
}

function toArguments(one: Case): [FunctorFacts, DispatchOptions, Machine] {
  const traits = {
    gpu: one.gpuTrait,
    buffered: one.forms === 'both' || one.forms === 'buffered',
    bufferless: one.forms === 'both' || one.forms === 'bufferless',
  };
  return [
    { name: 'f', kind: one.kind, traits, compiled: one.compiled, sums: one.sums },
    {
      ...(one.enableGpu === undefined ? {} : { enableGpu: one.enableGpu }),
      ...(one.callBackend === undefined ? {} : { backend: one.callBackend }),
      ...(one.form === undefined ? {} : { form: one.form }),
    },
    {
      requested: one.requested,
      precision: one.precision,
      engines: {
        accelerator: gpus[one.gpu],
        lookedFor: 'webgpu',
        reason: one.gpu === 'none' ? 'there is no adapter' : 'an adapter',
      },
    },
  ];
}

/** The rules, as a table of guards: the first that holds decides. */
function backendByRules(one: Case): 'cpu' | 'webgpu' | { error: string } {
  const request =
    one.callBackend === undefined || one.callBackend === 'auto' ? one.requested : one.callBackend;
  const hasGpu = one.gpu !== 'none';
  const hasPrecision =
    gpus[one.gpu]?.precisions.some((precision) => precision === one.precision) ?? false;
  const mayUseGpu = one.gpuTrait && one.compiled && one.enableGpu !== false;
  const table: [boolean, 'cpu' | 'webgpu' | { error: string }][] = [
    [request === 'webgpu' && !hasGpu, { error: 'NO_ADAPTER' }],
    [request === 'webgpu' && mayUseGpu && !hasPrecision, { error: 'BACKEND_UNAVAILABLE' }],
    [request !== 'cpu' && mayUseGpu && hasGpu && hasPrecision, 'webgpu'],
    [true, 'cpu'],
  ];
  return table.find(([holds]) => holds)![1];
}

function byRules(one: Case): Expected {
  const backend = backendByRules(one);
  if (typeof backend === 'object') return backend;
  if (one.kind !== 'pair') {
    return {
      backend,
      form: !one.compiled ? 'function' : one.kind === 'block' ? 'block' : 'particle',
    };
  }
  const available = {
    both: ['buffered', 'bufferless'],
    buffered: ['buffered'],
    bufferless: ['bufferless'],
    neither: [],
  }[one.forms] as ('buffered' | 'bufferless')[];
  const asked = one.form === undefined || one.form === 'auto' ? null : one.form;
  if (available.length === 0 || (asked && !available.includes(asked)))
    return { error: 'INVALID_VALUE' };
  const preferred = backend === 'webgpu' || one.sums ? 'bufferless' : 'buffered';
  return { backend, form: asked ?? (available.includes(preferred) ? preferred : available[0]!) };
}

function outcome(one: Case): Expected & { reason?: string } {
  try {
    return chooseBackend(...toArguments(one));
  } catch (error) {
    return { error: (error as { code: string }).code };
  }
}

describe('dispatch', () => {
  it('follows the rules in every combination of traits, options and machine', () => {
    let count = 0;
    for (const one of combinations()) {
      count++;
      const { reason, ...decision } = outcome(one) as Expected & { reason?: string };
      if (JSON.stringify(decision) !== JSON.stringify(byRules(one))) {
        expect({ one, decision }).toEqual({ one, decision: byRules(one) });
      }
      if (!('error' in decision) && !reason) expect(one).toBe('accompanied by a reason');
    }
    expect(count).toBeGreaterThan(40_000);
  });

  it('decides the same whenever it is asked', () => {
    const [functor, options, machine] = toArguments([...combinations()][123]!);
    expect(chooseBackend(functor, options, machine)).toEqual(
      chooseBackend(functor, options, machine),
    );
  });
});

const pair: FunctorFacts = {
  name: 'lennard_jones',
  kind: 'pair',
  traits: { gpu: true, buffered: true, bufferless: true },
  compiled: true,
  sums: true,
};
const card: Machine = {
  requested: 'auto',
  precision: 'f32',
  engines: {
    accelerator: { name: 'webgpu', precisions: ['f32'] },
    lookedFor: 'webgpu',
    reason: 'a card',
  },
};
const bare: Machine = {
  requested: 'auto',
  precision: 'f64',
  engines: { accelerator: null, lookedFor: 'webgpu', reason: 'no adapter was found' },
};

describe('the reason', () => {
  it.each<[string, FunctorFacts, DispatchOptions, Machine, RegExp]>([
    ['an explicit CPU', pair, { backend: 'cpu' }, card, /backend cpu was asked for/],
    ['a missing adapter', pair, {}, bare, /no adapter was found/],
    [
      'the trait',
      { ...pair, traits: { ...pair.traits, gpu: false } },
      { backend: 'webgpu' },
      card,
      /trait gpu: false/,
    ],
    ['plain JavaScript', { ...pair, compiled: false }, {}, card, /plain JavaScript/],
    ['the option', pair, { enableGpu: false }, card, /enableGpu: false/],
    [
      'the precision',
      pair,
      {},
      { ...card, precision: 'f64' },
      /precision f64 is not available.*it has f32/,
    ],
    ['agreement', pair, {}, card, /trait, option and device agree/],
    ['a request for the GPU', pair, { backend: 'webgpu' }, card, /backend webgpu was asked for/],
    ['pure sums on the CPU', pair, {}, bare, /pure sums/],
    ['the GPU preference', pair, {}, card, /GPU prefers bufferless/],
    ['the CPU preference', { ...pair, sums: false }, {}, bare, /CPU prefers buffered/],
    ['a form asked for', pair, { form: 'buffered' }, bare, /form buffered was asked for/],
  ])('names %s', (_, functor, options, machine, reason) => {
    expect(chooseBackend(functor, options, machine).reason).toMatch(reason);
  });

  it.each([
    [99, 'cpu', /99 elements, fewer than the 100 of enableGpu.atLeast/],
    [100, 'webgpu', /trait, option and device agree/],
    [undefined, 'webgpu', /trait, option and device agree/],
  ] as const)('names %s elements of enableGpu.atLeast 100', (size, backend, reason) => {
    const options = { enableGpu: { atLeast: 100 }, ...(size === undefined ? {} : { size }) };
    const decision = chooseBackend(pair, options, card);
    expect(decision.backend).toBe(backend);
    expect(decision.reason).toMatch(reason);
  });

  it('of an error says what was asked for, why not, and what to do', () => {
    expect(() => chooseBackend(pair, { backend: 'webgpu' }, bare)).toThrow(
      "the call asks for backend webgpu, but no adapter was found: leave the backend of the call out, or give 'cpu'",
    );
    const noBuffer = { ...pair, traits: { gpu: true, buffered: false, bufferless: true } };
    expect(() => chooseBackend(noBuffer, { form: 'buffered' }, bare)).toThrow(
      "form 'buffered' was asked for, but functor 'lennard_jones' lacks the trait buffered: add it or leave the form out",
    );
  });
});
