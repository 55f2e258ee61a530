import { callWithDerived } from './callWithDerived.js';
import { compiledCall } from './compiledCall.js';
import { isDeferred } from './compileWhenUsed.js';
import { definitionSite } from './definitionSite.js';
import { CorpuscleError, type SourceLocation } from './error/CorpuscleError.js';
import { fromCaller } from './error/fromCaller.js';
import type { Functor, FunctorFunction } from './Functor.js';
import type { FunctorSpec } from './FunctorSpec.js';
import { compileFunctor } from './frontend/compileFunctor.js';
import type { FunctorIR, FunctorKind } from './ir.js';
import { intrinsics } from './library/builtins.js';
import { parity } from './passes/parity.js';
import { sumOutputs } from './passes/sumOutputs.js';
import { type ResolvedTraits, resolveTraits } from './Traits.js';
import { validateSpec } from './validateSpec.js';

/**
 * What the makers have in common: functors are compiled at once, or when they are first used (see `compileWhenUsed`). `maker` is
 * the function whose caller defines the functor, and `more` gives properties of its own, once the functor itself is right.
 */
export function defineFunctor<K extends FunctorKind, M extends object = object>(
  kind: K,
  spec: FunctorSpec,
  fn: FunctorFunction,
  maker: (...args: never[]) => unknown,
  more?: () => M,
): Functor<K> & M {
  try {
    return made(kind, spec, fn, definitionSite(maker), more);
  } catch (error) {
    throw fromCaller(error, maker);
  }
}

function made<K extends FunctorKind, M extends object>(
  kind: K,
  spec: FunctorSpec,
  fn: FunctorFunction,
  source: SourceLocation,
  more: (() => M) | undefined,
): Functor<K> & M {
  validateSpec(spec, source);
  if (typeof fn !== 'function')
    throw new CorpuscleError(
      'FUNCTOR_SYNTAX',
      `functor '${spec.name}' (defined at ${source.file}:${source.line}:${source.column}): there is no function; give it after the declaration`,
      { location: source },
    );
  const traits = resolveTraits(spec.traits);
  let compiled: Compiled | null = null;
  const compile = () => {
    compiled ??= compileChecked(kind, spec, fn, source, traits);
    return compiled;
  };
  const functor: Functor<K> = {
    kind,
    name: spec.name,
    get ir() {
      return compile().ir;
    },
    get notCompiled() {
      return compile().notCompiled;
    },
    traits,
    spec,
    fn,
    source,
    invoke: directCall(kind, spec, fn, () => compile().ir!),
  };
  if (!isDeferred()) compile();
  return Object.defineProperties(
    functor,
    Object.getOwnPropertyDescriptors(more?.() ?? {}),
  ) as Functor<K> & M;
}

/** What `invoke` of a functor does. */
function directCall(
  kind: FunctorKind,
  spec: FunctorSpec,
  fn: FunctorFunction,
  ir: () => FunctorIR,
): Functor['invoke'] {
  if (hasGradient(spec)) {
    const derived = compiledCall(ir);
    return (...roles) => derived(roles);
  }
  const helpers = { ...intrinsics, ...spec.helpers };
  const constants = { ...spec.constants };
  const call = fn as (...args: unknown[]) => unknown;
  const computed = Object.entries(
    (spec.kind === 'cell' || spec.kind === 'reduce' ? spec.computed : undefined) ?? {},
  );
  const derives = spec.kind === 'pair' && Object.keys(spec.derived ?? {}).length > 0;
  return (...roles) => {
    if (computed.length > 0) addComputed(roles[kind === 'reduce' ? 1 : 0]!, computed);
    const [b, a, p, ...results] = roles; // a block's results come last
    if (kind === 'block') call(b, a, p, helpers, constants, ...results);
    else if (spec.kind === 'pair') {
      const [i, , d] = roles as Record<string, number>[];
      const pair = () => call(...roles.slice(0, 4), helpers, constants, roles[4]); // a context comes last
      if (derives) callWithDerived(pair, i!, d!, spec.derived!);
      else pair();
    } else call(...roles, helpers, constants);
  };
}

type Compiled = Pick<Functor, 'ir' | 'notCompiled'>;

function compileChecked(
  kind: FunctorKind,
  spec: FunctorSpec,
  fn: FunctorFunction,
  source: SourceLocation,
  { newton3, blockShared }: ResolvedTraits,
): Compiled {
  const compiled = compileUnlessForbidden(spec, fn, source);
  const { ir } = compiled;
  if (ir && newton3 && kind === 'pair') parity(ir, source);
  if (ir && blockShared) checkShared(ir, source);
  return compiled;
}

const hasGradient = (spec: FunctorSpec): boolean =>
  (spec.kind === 'pair' || spec.kind === 'neighborhood') && spec.gradient !== undefined;

/** Lanes that share a particle can only add to its outputs. */
function checkShared(ir: FunctorIR, source: SourceLocation): void {
  for (const [field, use] of sumOutputs(ir)) {
    if (use === 'sum') continue;
    throw new CorpuscleError(
      'FUNCTOR_TYPE',
      `functor '${ir.name}' (defined at ${source.file}:${source.line}:${source.column}): the output '${field}' is read or overwritten, but several lanes share the particle; only add to it (+= or -=), or drop blockShared`,
      { location: source },
    );
  }
}

/** Gives a particle its computed fields. */
function addComputed(particle: object, computed: readonly [string, FunctorFunction][]): void {
  for (const [name, fn] of computed) {
    if (name in particle) continue;
    const get = () => (fn as unknown as (i: object) => number)(particle);
    Object.defineProperty(particle, name, { get });
  }
}

/** Any JavaScript is allowed where no GPU is: then what cannot be compiled is called as it stands. */
function compileUnlessForbidden(
  spec: FunctorSpec,
  fn: FunctorFunction,
  source: SourceLocation,
): Compiled {
  try {
    return { ir: compileFunctor(spec, fn, source), notCompiled: '' };
  } catch (error) {
    const isFunctorError = error instanceof CorpuscleError && error.code.startsWith('FUNCTOR_');
    const needed =
      spec.traits?.newton3 || (spec.kind === 'pair' && spec.context) || hasGradient(spec);
    if (!isFunctorError || spec.traits?.gpu !== false || needed) throw error;
    return { ir: null, notCompiled: error.message };
  }
}
