import { CorpuscleError } from '@corpuscle/core';
import type { Traits } from '@corpuscle/functor';
import type { FunctorIR, FunctorKind } from '@corpuscle/functor/ir';

/** `f64`, `f32`, or `mixed`: state in f64 (on the GPU: double-single sums), pair forces in f32. */
export type Precision = 'f64' | 'f32' | 'mixed';
/** Where functors run: CPU threads, a GPU through WebGPU, WebGL through gpu.js, or an engine of your own (`registerEngine`). */
export type BackendName = 'cpu' | 'webgpu' | 'webgl' | (string & {});

/** How a pair functor meets its neighbors: from a packed buffer once per particle, or one by one from the list. */
export type PairForm = 'buffered' | 'bufferless';
/** `particle`, `block`: the compiled functor; `function`: the user's, on the main thread; `all_pairs`: tiles instead of lists. */
export type Form = PairForm | 'all_pairs' | 'particle' | 'block' | 'function';

/** What is known of a functor besides its traits. */
export interface FunctorFacts {
  readonly name: string;
  readonly kind: FunctorKind;
  readonly traits: Traits;
  /** False for `gpu: false` functors that are arbitrary JavaScript. */
  readonly compiled: boolean;
  /** Pair functors: every output is a pure sum (`+=`, `-=`, never read), so SIMD lanes may run across neighbors. */
  readonly sums: boolean;
  /** What it was compiled to, for engines that cannot take everything. */
  readonly ir?: FunctorIR | null;
  /** Reductions: results are more than sums, minima and maxima. */
  readonly structured?: boolean;
}

/** What a call asks for; it goes before what the context was asked for. */
export interface DispatchOptions {
  /** `false` keeps this call on the CPU, `{ atLeast }` keeps it there when it is smaller than that. Default true. */
  readonly enableGpu?: boolean | { readonly atLeast: number };
  /** Indices or particles of the call, for `enableGpu`. */
  readonly size?: number;
  /** Overrides what the context was asked for. */
  readonly backend?: 'auto' | BackendName;
  /** Pairs only. Default 'auto'. */
  readonly form?: 'auto' | PairForm;
  /** Pairs only: whether they come from tiles of all particles instead of lists. */
  readonly allPairs?: unknown;
}

/** What is to be known of an engine to choose it. */
export interface EngineFacts {
  /** The name that contexts and calls ask for. */
  readonly name: BackendName;
  readonly precisions: readonly Precision[];
  /** Why it cannot take a call, as one clause; null where it can. Without it every compiled functor is taken. */
  refuses?(functor: FunctorFacts, options: DispatchOptions): string | null;
}

/** What there is to run on, and what the context was asked for. */
export interface Machine {
  readonly requested: 'auto' | BackendName;
  readonly precision: Precision;
  readonly engines: EngineChoice;
}

/** The engine besides the CPU's; null where there is none. */
export interface EngineChoice {
  readonly accelerator: EngineFacts | null;
  /** The backend that was looked for. */
  readonly lookedFor: BackendName;
  /** Why there is none, or what it is, as one clause. */
  readonly reason: string;
}

/** Where and how a call runs, and why. */
export interface Decision {
  readonly backend: BackendName;
  readonly form: Form;
  /** One clause a person can act on. */
  readonly reason: string;
}

/**
 * Decides where and how a call runs. Pure: the same arguments always give the same decision, and nothing is looked up.
 *
 * The accelerator is taken if trait `gpu`, option `enableGpu` and the requested backend all agree, it has the precision, and it
 * does not refuse the call. What was asked for and cannot be had is an error; what the functor or the call rules out runs on the CPU.
 * The GPU prefers bufferless pairs. The CPU prefers buffered ones, unless all outputs are pure sums.
 *
 * @throws CorpuscleError NO_ADAPTER, BACKEND_UNAVAILABLE (precision), INVALID_VALUE (form that the traits forbid).
 */
export function chooseBackend(
  functor: FunctorFacts,
  options: DispatchOptions,
  machine: Machine,
): Decision {
  const [backend, reason] = backendOf(functor, options, machine);
  if (functor.kind !== 'pair' && functor.kind !== 'neighborhood') {
    if (!functor.compiled) return { backend, form: 'function', reason };
    return { backend, form: functor.kind === 'block' ? 'block' : 'particle', reason };
  }
  if (options.allPairs) {
    const why = 'all pairs are met in tiles, without lists';
    return { backend, form: 'all_pairs', reason: `${reason}; ${why}` };
  }
  const [form, formReason] = formOf(functor, options.form ?? 'auto', backend);
  return { backend, form, reason: `${reason}; ${formReason}` };
}

/** The error of a call that asks for an engine which the context does not have. */
export function noEngine(
  backend: BackendName,
  { requested, engines }: Pick<Machine, 'requested' | 'engines'>,
): CorpuscleError {
  const wasSought = backend === engines.lookedFor && engines.accelerator === null;
  const why = wasSought ? engines.reason : 'the context was not made with it';
  const remedy =
    requested === 'cpu' || !wasSought
      ? `make it with backend '${backend}', or leave the backend of the call out`
      : "leave the backend of the call out, or give 'cpu'";
  return new CorpuscleError(
    'NO_ADAPTER',
    `the call asks for backend ${backend}, but ${why}: ${remedy}`,
  );
}

function backendOf(
  functor: FunctorFacts,
  options: DispatchOptions,
  machine: Machine,
): readonly [BackendName, string] {
  const { accelerator, reason } = machine.engines;
  const asked = options.backend ?? 'auto';
  const requested = asked === 'auto' ? machine.requested : asked;
  if (requested === 'cpu') return ['cpu', 'backend cpu was asked for'];
  if (requested !== 'auto' && requested !== accelerator?.name) throw noEngine(requested, machine);
  if (!functor.compiled)
    return ['cpu', 'the functor is plain JavaScript (gpu: false), which only the CPU runs'];
  if (functor.traits.gpu === false) return ['cpu', 'the functor has the trait gpu: false'];
  const kept = keptOnCpu(options);
  if (kept !== null) return ['cpu', kept];
  if (accelerator === null) return ['cpu', reason];
  if (!accelerator.precisions.includes(machine.precision)) {
    const has = accelerator.precisions.join(', ');
    if (requested !== 'auto') {
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `precision ${machine.precision} is not available on this device (it has ${has}): ask for one of those, or for backend cpu`,
      );
    }
    return ['cpu', `precision ${machine.precision} is not available on the device (it has ${has})`];
  }
  const refusal = accelerator.refuses?.(functor, options) ?? null;
  if (refusal !== null) return ['cpu', refusal];
  if (requested !== 'auto') return [accelerator.name, `backend ${requested} was asked for`];
  return [accelerator.name, 'trait, option and device agree'];
}

/** Why a call's own options keep it from the GPU; null when they do not. */
function keptOnCpu({ enableGpu, size }: DispatchOptions): string | null {
  if (enableGpu === false) return 'the call has enableGpu: false';
  if (typeof enableGpu !== 'object' || size === undefined || size >= enableGpu.atLeast) return null;
  return `the call has ${size} elements, fewer than the ${enableGpu.atLeast} of enableGpu.atLeast`;
}

function formOf(
  functor: FunctorFacts,
  asked: 'auto' | PairForm,
  backend: BackendName,
): readonly [PairForm, string] {
  const { buffered = false, bufferless = false } = functor.traits;
  if (asked !== 'auto') {
    if (asked === 'buffered' ? buffered : bufferless) return [asked, `form ${asked} was asked for`];
    throw new CorpuscleError(
      'INVALID_VALUE',
      `form '${asked}' was asked for, but functor '${functor.name}' lacks the trait ${asked}: add it or leave the form out`,
    );
  }
  if (!buffered && !bufferless) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' has neither the trait buffered nor bufferless, so it can never run: add one`,
    );
  }
  if (!buffered) return ['bufferless', 'bufferless is the only form the functor has'];
  if (!bufferless) return ['buffered', 'buffered is the only form the functor has'];
  if (backend !== 'cpu') return ['bufferless', 'the GPU prefers bufferless'];
  if (functor.sums)
    return [
      'bufferless',
      'its outputs are pure sums, which SIMD lanes gather faster without a buffer',
    ];
  return ['buffered', 'the CPU prefers buffered'];
}
