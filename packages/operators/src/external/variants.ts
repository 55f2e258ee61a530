import { mapStatement } from '@corpuscle/functor/passes';
import {
  type CellFunctor,
  type ParamSchema,
  type ReduceFunctor,
  reduceFunctor,
  type Stmt,
  withOutputs,
} from '@corpuscle/patterns';
import type { externalOutputs } from './externalForceTerm.js';

type External<P extends ParamSchema> = CellFunctor<typeof externalOutputs, P>;
type EnergySum<P extends ParamSchema> = ReduceFunctor<{ energy: 'sum' }, P>;

/** Made once for each functor. */
const written = new WeakMap<object, Map<string, unknown>>();
const sums = new WeakMap<object, unknown>();

/** The functor with only the writes that are wanted. */
export function withWrites<P extends ParamSchema>(
  functor: External<P>,
  names: readonly string[],
): External<P> {
  const key = names.join();
  let known = written.get(functor);
  if (!known) {
    known = new Map();
    written.set(functor, known);
  }
  let variant = known.get(key) as External<P> | undefined;
  if (!variant) {
    variant = { ...functor, ir: withOutputs(irOf(functor), new Set(names)) };
    known.set(key, variant);
  }
  return variant;
}

/** The sum of what the functor adds to `ep`, over all particles. */
export function energySum<P extends ParamSchema>(functor: External<P>): EnergySum<P> {
  const known = sums.get(functor) as EnergySum<P> | undefined;
  if (known) return known;
  const { spec } = functor;
  const { body, helpers, roles } = withOutputs(irOf(functor), new Set(['ep']));
  const empty = reduceFunctor(
    {
      name: `${functor.name}_energy`,
      result: { energy: 'sum' },
      read: spec.kind === 'cell' ? spec.read : {},
      params: functor.params,
      traits: { gpu: true },
    },
    (acc) => {
      acc.energy += 0;
    },
  ) as EnergySum<P>;
  const ir = irOf(empty);
  const sum: EnergySum<P> = {
    ...empty,
    ir: {
      ...ir,
      roles: { ...ir.roles, ...(roles.p && { p: roles.p }) },
      body: body.map(intoSum),
      helpers,
    },
  };
  sums.set(functor, sum);
  return sum;
}

const intoSum = (statement: Stmt): Stmt => {
  const mapped = mapStatement(
    statement,
    (e) => e,
    (list) => list.map(intoSum),
  );
  if (mapped.kind !== 'write' || mapped.field !== 'ep') return mapped;
  return { ...mapped, role: 'acc', field: 'energy' };
};

function irOf(functor: CellFunctor | ReduceFunctor) {
  if (functor.ir) return functor.ir;
  throw new Error(`${functor.name} is not compiled: ${functor.notCompiled}`);
}
