import { CorpuscleError } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import {
  embeddedAtom,
  embeddedAtomDensity,
  embeddedAtomEmbed,
  embeddedAtomEnergy,
  oneElementDensity,
} from './embeddedAtom.js';
import { embeddedAtomTerm } from './embeddedAtomTerm.js';
import type { SetflTables } from './readSetfl.js';
import { slopesOf } from './slopesOf.js';

/** Which table each particle type takes. */
export interface EmbeddedAtomOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** In simulation units; see `readSetfl`. */
  readonly tables: SetflTables;
  /** The element of each type; default: its name. */
  readonly elements?: Readonly<Record<string, string>>;
}

/**
 * A force term of an embedded-atom potential in tables, also in the form of Finnis and Sinclair, interpolated as LAMMPS does it.
 *
 * @throws CorpuscleError UNKNOWN_TYPE for a type whose element is not in the file.
 * @example
 * const term = embeddedAtomForce({ types: ['Cu'], tables: readSetfl('Cu.eam.alloy') });
 */
export function embeddedAtomForce({ types, tables, elements }: EmbeddedAtomOptions): ForceTerm {
  const index = types.map((type) => {
    if (tables.elements.length === 0) return 0;
    const element = elements?.[type] ?? type;
    const found = tables.elements.indexOf(element);
    if (found >= 0) return found;
    throw new CorpuscleError(
      'UNKNOWN_TYPE',
      `the potential has no element '${element}' for type '${type}': it has ${tables.elements.join(', ')}`,
    );
  });
  const columns = (all: readonly Float64Array[], order: readonly number[]) => ({
    v: order.flatMap((k) => [...all[k]!]),
    s: order.flatMap((k) => slopesOf(all[k]!)),
  });
  const number = (i: number, j: number) => {
    const [high, low] = i > j ? [i, j] : [j, i];
    return (high * (high + 1)) / 2 + low;
  };
  const { rcut, spacing, densitySpacing } = tables;
  const points = tables.density[0]!.length;
  const radial = { points, inverse: 1 / spacing, rcut2: rcut * rcut };
  // Of Finnis and Sinclair's form, what an element gives depends on the element that it is given to.
  const isGivenTo = tables.density.length > tables.embedding.length;
  const given = index.flatMap((to) =>
    index.map((from) => (isGivenTo ? from * tables.embedding.length + to : from)),
  );
  const used = [...new Set(given)];
  const density = {
    types: types.length,
    given: given.map((table) => used.indexOf(table)),
    ...columns(tables.density, used),
  };
  const pair = columns(tables.pair, [...tables.pair.keys()]);
  const first = types.length === 1 ? oneElementDensity : embeddedAtomDensity;
  return embeddedAtomTerm({
    rcut,
    density: first as typeof embeddedAtomDensity,
    densityParams: { ...radial, ...density },
    embed: embeddedAtomEmbed,
    embedding: embeddedAtomEnergy,
    embedParams: {
      points: tables.embedding[0]!.length,
      inverse: 1 / densitySpacing,
      ...columns(tables.embedding, index),
    },
    pair: embeddedAtom,
    pairParams: {
      ...radial,
      ...density,
      pair: index.flatMap((i) => index.map((j) => number(i, j))),
      zv: pair.v,
      zs: pair.s,
    },
  });
}
