import { CorpuscleError, type Grid } from '@corpuscle/core';
import { fieldUse } from '@corpuscle/functor/passes';
import { type HostEngine, type PairCall, sumOutputs, type Totals } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import type { Halo } from '../halo/Halo.js';
import { oneSided } from './oneSided.js';

/** What a call needs of the halo, and where it writes. */
interface Use {
  readonly read: readonly string[];
  readonly written: readonly string[];
}

/**
 * Calls a pair functor for the pairs of this rank: those of its own particles while the halo travels, then those with ghosts, which
 * their owners meet too, from the other side. Totals are those of all ranks.
 */
export function computePairs(
  engine: HostEngine,
  communicator: Communicator,
  halo: Halo,
  given: PairCall,
): Totals {
  const call: PairCall = { ...given, asynchronous: false };
  const { read, written } = useOf(call);
  const updates = halo.start(read);
  const own = engine.preparePairs(call).run(call).value;
  halo.finish(updates);
  let border: Totals = {};
  if (!halo.isEmpty) {
    halo.clear(written);
    const seen: PairCall = { ...call, grid: halo.grid, functor: oneSided(call.functor) };
    border = engine.preparePairs(seen).run(seen).value;
    halo.collect(written);
  }
  const names = Object.keys(own);
  if (names.length === 0) return {};
  const sums = communicator.sum(
    Float64Array.from(names, (name) => own[name]! + (border[name] ?? 0)),
  );
  return Object.fromEntries(names.map((name, k) => [name, sums[k]!]));
}

/** @throws CorpuscleError BACKEND_UNAVAILABLE for what ranks cannot compute. */
function useOf({ functor, grid, outputs, allPairs, rows }: PairCall): Use {
  const refuse = (why: string): never => {
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `ranks cannot take '${functor.name}' yet, as ${why}: run it on one rank`,
    );
  };
  const { ir } = functor;
  if (ir === null) return refuse('it is plain JavaScript (gpu: false)');
  if (functor.kind === 'neighborhood' || ir.start) return refuse('it sees whole neighborhoods');
  if (allPairs) return refuse('it meets all pairs without lists');
  if (rows) return refuse('it works on some rows only');
  const kinds = sumOutputs(ir);
  const kept = Object.keys(outputs).filter((name) => outputs[name] !== 'none');
  if (kept.some((name) => kinds.get(name) === 'general')) return refuse('its results are no sums');
  const { reads } = fieldUse(ir);
  const names = ['rx', ...(reads.get('i') ?? []), ...(reads.get('j') ?? [])];
  const written = kept.filter((name) => outputs[name] !== 'total');
  return { read: blocksOf(grid, names), written: blocksOf(grid, written) };
}

const blocksOf = (grid: Grid, fields: readonly string[]): readonly string[] => [
  ...new Set(fields.filter((name) => grid.hasField(name)).map((name) => grid.field(name).block)),
];
