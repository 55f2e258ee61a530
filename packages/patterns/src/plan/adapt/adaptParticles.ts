import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import type { ParameterValues } from '../calls.js';
import { type ParticleFilter, particleFilter } from './particleFilter.js';

/** What a call over particles can add to its functor. */
export interface ParticleAdaptations {
  /** Which particles take part: those of `central`. */
  readonly particleFilter?: Pick<ParticleFilter, 'central'>;
}

type AnyParticles = Functor<'cell'> | Functor<'reduce'>;
const made = new WeakMap<Functor, Map<string, Functor>>();

/**
 * The functor with the filter of a call in front of it: particles that do not take part leave at once.
 *
 * @returns also the parameters to add to the call's
 * @throws CorpuscleError INVALID_VALUE, UNKNOWN_FIELD
 */
export function adaptParticles<F extends AnyParticles>(
  functor: F,
  grid: Grid,
  { particleFilter: filter }: ParticleAdaptations,
): { readonly functor: F; readonly params: ParameterValues } {
  const central = filter?.central;
  if (!central) return { functor, params: {} };
  const { ir } = functor;
  if (ir === null)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' is not compiled (${functor.notCompiled}), so the call cannot add a filter: write it in what can be compiled`,
    );
  const { statements } = particleFilter({ central }, grid);
  const values = { opt_central: central.bits };
  let byField = made.get(functor);
  if (!byField) {
    byField = new Map();
    made.set(functor, byField);
  }
  let adapted = byField.get(central.field);
  if (!adapted) {
    adapted = withFilter(functor, ir, central.field, statements().particle ?? []);
    byField.set(central.field, adapted);
  }
  // Kind and spec are those of the functor given.
  return { functor: adapted as F, params: values };
}

function withFilter(
  functor: AnyParticles,
  ir: FunctorIR,
  field: string,
  filter: FunctorIR['body'],
): Functor {
  const { spec } = functor;
  if (spec.kind !== 'cell' && spec.kind !== 'reduce')
    throw new Error(`${functor.name} does not take particles`);
  const isOwn = spec.kind === 'cell' && field in spec.fields;
  const added = { type: 'u32', array: false, writable: false } as const;
  const extended = {
    ...spec,
    read: isOwn ? spec.read : { ...spec.read, [field]: 'u32' as const },
    params: { ...spec.params, opt_central: 'u32' as const },
  };
  return {
    ...functor,
    spec: extended,
    ir: {
      ...ir,
      roles: {
        ...ir.roles,
        i: { [field]: added, ...ir.roles.i },
        p: { ...ir.roles.p, opt_central: added },
      },
      body: [...filter, ...ir.body],
    },
  };
}
