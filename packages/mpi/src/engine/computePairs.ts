import type { HostEngine, PairCall, Totals } from '@corpuscle/patterns';
import { totalsOf } from '@corpuscle/patterns/engines';
import type { Communicator } from '../communicator/Communicator.js';
import type { Share } from '../decomposition/Share.js';
import { ofOwnParticles } from '../halo/ofOwnParticles.js';
import { exactSums } from './exactSums.js';
import { oneSided } from './oneSided.js';
import { type PairUse, pairUse } from './pairUse.js';

/** Calls a pair functor for the pairs, or neighborhoods, of this rank. Totals are those of all ranks. */
export function computePairs(
  engine: HostEngine,
  communicator: Communicator,
  share: Share,
  given: PairCall,
): Totals {
  const call: PairCall = { ...given, asynchronous: false };
  const use = pairUse(call);
  if (share.isOrdered) return inOrder(engine, communicator, share, call, use);
  const compute = use.isWhole ? ofNeighborhoods : ofPairs;
  const totals = compute(engine, share, call, use);
  const names = Object.keys(totals);
  if (names.length === 0) return {};
  const sums = communicator.sum(Float64Array.from(names, (name) => totals[name]!));
  return Object.fromEntries(names.map((name, k) => [name, sums[k]!]));
}

/** Pairs of own particles while the halo travels, then those with ghosts, which their owners meet too, from the other side. */
function ofPairs(engine: HostEngine, { halo }: Share, call: PairCall, use: PairUse): Totals {
  const updates = halo.start(use.read);
  const own = engine.preparePairs(call).run(call).value;
  halo.finish(updates);
  halo.clear(use.written); // all ranks have the same blocks
  if (halo.isEmpty) return own;
  const seen: PairCall = { ...call, grid: halo.grid, functor: oneSided(call.functor) };
  const border = engine.preparePairs(seen).run(seen).value;
  halo.collect(use.written);
  return Object.fromEntries(Object.keys(own).map((name) => [name, own[name]! + border[name]!]));
}

/** Neighborhoods of own particles. What ghosts receive returns to their owners. */
function ofNeighborhoods(engine: HostEngine, share: Share, call: PairCall, use: PairUse): Totals {
  const halo = share.neighborhoods;
  halo.finish(halo.start(use.read));
  halo.clear(use.written);
  const seen: PairCall = { ...call, grid: halo.grid, functor: ofOwnParticles(call.functor) };
  const totals = engine.preparePairs(seen).run(seen).value;
  halo.collect(use.written);
  halo.giveBack(use.scattered);
  return totals;
}

/** Both kinds, with neighbors in the order of ids. Totals are added up of what particles have received. */
function inOrder(
  engine: HostEngine,
  communicator: Communicator,
  { neighborhoods: halo }: Share,
  call: PairCall,
  use: PairUse,
): Totals {
  const names = totalsOf(call);
  const outputs = { ...call.outputs };
  for (const name of names) outputs[name] = 'particles';
  halo.finish(halo.start(use.read));
  halo.clear(use.written);
  halo.clearTerms(names);
  const functor = use.isWhole ? ofOwnParticles(call.functor) : oneSided(call.functor);
  const seen: PairCall = { ...call, outputs, grid: halo.grid, functor };
  engine.preparePairs(seen).run(seen);
  engine.finish();
  // Sums of own particles alone have the same bits on any number of ranks; what ghosts have received is of the particles here too.
  const rows = names.some((name) => use.given.has(name)) ? 'all' : 'own';
  const columns = names.map((name) => halo.terms(name, rows, call.outputs[name] === 'both'));
  halo.collect(use.written);
  halo.giveBack(use.scattered);
  const sums = names.length === 0 ? [] : exactSums(communicator, columns);
  return Object.fromEntries(names.map((name, k) => [name, sums[k]!]));
}
