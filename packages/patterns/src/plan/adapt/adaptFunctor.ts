import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { Expr, FunctorIR, RoleField, Stmt } from '@corpuscle/functor/ir';
import { mapOperands, mapStatement, sumOutputs } from '@corpuscle/functor/passes';
import type { AdaptedStatements } from './Adaptation.js';
import { real, times, whole } from './build.js';

type Fields = Readonly<Record<string, RoleField>>;

/** Fields and parameters that adaptations read. */
export interface AddedRoles {
  readonly i: Fields;
  readonly j: Fields;
  readonly p: Fields;
}

const before = (parts: readonly AdaptedStatements[]): readonly Stmt[] =>
  parts.flatMap((part) => part.before ?? []);
const particle = (parts: readonly AdaptedStatements[]): readonly Stmt[] =>
  parts.flatMap((part) => part.particle ?? []);

/** A functor of pairs: what does not count leaves before its own statements, and weights multiply what it adds. */
export function adaptPair(
  functor: Functor,
  ir: FunctorIR,
  parts: readonly AdaptedStatements[],
  { i, j, p }: AddedRoles,
): FunctorIR {
  const weight = parts.find((part) => part.weight)?.weight;
  const own = functor.traits.needsPairWeights;
  if (weight && !own && [...sumOutputs(ir).values()].includes('general'))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' does more than add to its outputs, so they cannot be multiplied by weights: give it the trait needsPairWeights and let it use d.weight`,
    );
  const displacement = parts.find((part) => part.displacement)?.displacement;
  const expression = (e: Expr): Expr => {
    if (e.kind !== 'field' || e.role !== 'd') return mapOperands(e, expression);
    if (e.field === 'weight') return own ? (weight ?? real(1)) : e;
    return displacement?.[e.field as 'x'] ?? e;
  };
  const list = (statements: readonly Stmt[]): readonly Stmt[] =>
    statements.map((s) => {
      const mapped = mapStatement(s, expression, list);
      if (!weight || own || mapped.kind !== 'write' || mapped.role !== 'i') return mapped;
      if (mapped.value.type !== 'real') return mapped;
      return { ...mapped, value: times(mapped.value, weight) };
    });
  const central = { ...i, ...ir.roles.i };
  // Particles that do not take part neither start nor stop.
  const hook = (part: FunctorIR): FunctorIR => ({
    ...part,
    roles: { ...part.roles, i: central, p },
    body: [...particle(parts), ...part.body],
  });
  return {
    ...ir,
    roles: { ...ir.roles, i: central, j: { ...j, ...ir.roles.j }, p },
    body: [...particle(parts), ...before(parts), ...list(ir.body)],
    ...(ir.start && ir.stop ? { start: hook(ir.start), stop: hook(ir.stop) } : {}),
  };
}

const OUT = { type: 'real', array: false, writable: true } as const;

/** A functor of neighborhoods: particles that do not take part leave at once, neighbors that do not count are not packed. */
export function adaptPacking(
  functor: Functor,
  ir: FunctorIR,
  parts: readonly AdaptedStatements[],
  { i, j, p }: AddedRoles,
): FunctorIR {
  const weight = parts.find((part) => part.weight)?.weight;
  const own = functor.traits.needsPairWeights;
  if (weight && !own)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' takes whole neighborhoods, where weights other than 0 have no meaning of their own: give it the trait needsPairWeights and let it use b.weight[k]`,
    );
  const displacement = parts.find((part) => part.displacement)?.displacement;
  const write = (name: string, value: Expr): Stmt => ({
    kind: 'write',
    role: 'i',
    field: name,
    op: '=',
    value,
  });
  const moved = displacement
    ? (['x', 'y', 'z'] as const).map((axis) => write(`opt_d${axis}`, displacement[axis]))
    : [];
  const pack: FunctorIR = {
    name: `${ir.name}_pack`,
    kind: 'pair',
    roles: {
      i: {
        ...i,
        opt_keep: { ...OUT, type: 'u32' },
        ...(displacement ? { opt_dx: OUT, opt_dy: OUT, opt_dz: OUT, opt_r2: OUT } : {}),
        ...(own ? { opt_weight: OUT } : {}),
      },
      j,
      d: Object.fromEntries(
        ['x', 'y', 'z', 'r2'].map((name) => [
          name,
          { type: 'real', array: false, writable: false },
        ]),
      ),
      p,
    },
    body: [
      ...before(parts),
      ...moved,
      ...(displacement ? [write('opt_r2', displacement.r2)] : []),
      ...(own ? [write('opt_weight', weight ?? real(1))] : []),
      write('opt_keep', whole(1)),
    ],
    helpers: [],
  };
  return {
    ...ir,
    roles: { ...ir.roles, i: { ...i, ...ir.roles.i }, p },
    body: [...particle(parts), ...ir.body],
    pack,
  };
}
