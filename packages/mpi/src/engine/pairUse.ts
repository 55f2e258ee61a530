import { CorpuscleError, type Grid } from '@corpuscle/core';
import { fieldUse } from '@corpuscle/functor/passes';
import { type FunctorIR, type PairCall, sumOutputs } from '@corpuscle/patterns';

/** What a call needs of other ranks, and where it writes. */
export interface PairUse {
  readonly read: readonly string[];
  readonly written: readonly string[];
  /** Fields of which neighbors receive something, and their blocks. */
  readonly given: ReadonlySet<string>;
  readonly scattered: readonly string[];
  readonly isWhole: boolean;
}

/** @throws CorpuscleError BACKEND_UNAVAILABLE for what ranks cannot compute. */
export function pairUse({ functor, grid, outputs, allPairs, rows }: PairCall): PairUse {
  const refuse = (why: string): never => {
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `ranks cannot take '${functor.name}' yet, as ${why}: run it on one rank`,
    );
  };
  const { ir, spec } = functor;
  if (ir === null) return refuse('it is plain JavaScript (gpu: false)');
  if (allPairs) return refuse('it meets all pairs without lists');
  if (rows) return refuse('it works on some rows only');
  const all = withHooks(ir);
  const kinds = sumOutputs(all);
  const kept = Object.keys(outputs).filter((name) => outputs[name] !== 'none');
  if (kept.some((name) => kinds.get(name) === 'general')) return refuse('its results are no sums');
  const isWhole = seesNeighborhoods(functor);
  const { reads, writes } = fieldUse(all);
  const seen = spec.kind === 'neighborhood' ? [spec.read, spec.neighbor] : [];
  const names = [
    'rx',
    ...(isWhole ? seen.flatMap((schema) => Object.keys(schema)) : []),
    ...(reads.get('i') ?? []),
    ...(reads.get('j') ?? []),
  ];
  const written = kept.filter((name) => outputs[name] !== 'total');
  const given = writes.get('n') ?? new Set();
  return {
    read: blocksOf(grid, names),
    written: blocksOf(grid, written),
    given,
    scattered: blocksOf(
      grid,
      written.filter((name) => given.has(name)),
    ),
    isWhole,
  };
}

/** Whether a functor must see all neighbors of a particle at once. */
export const seesNeighborhoods = ({ kind, ir }: PairCall['functor']): boolean =>
  kind === 'neighborhood' || ir?.start !== undefined;

/** What is done for a particle before and after its pairs, and with them. */
function withHooks(ir: FunctorIR): FunctorIR {
  const parts = [ir.start, ir, ir.stop].flatMap((part) => (part ? [part] : []));
  return {
    ...ir,
    body: parts.flatMap(({ body }) => body),
    helpers: parts.flatMap(({ helpers }) => helpers),
  };
}

const blocksOf = (grid: Grid, fields: readonly string[]): readonly string[] => [
  ...new Set(fields.filter((name) => grid.hasField(name)).map((name) => grid.field(name).block)),
];
