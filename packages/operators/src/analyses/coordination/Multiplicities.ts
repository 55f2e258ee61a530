import type { Domain, Grid } from '@corpuscle/core';
import { particlesVersion } from './KnownMembers.js';
import type { Multiset } from './Members.js';
import { multiplicityFields, SHARED_PLACE } from './placeFields.js';

/** Whose multiplicities a place holds, for which particles. */
interface Written {
  readonly by: Multiplicities;
  readonly domain: Domain;
  /** See `particlesVersion`. */
  readonly asked: number;
}

/** What the places of a grid hold, and who keeps each. */
interface Places {
  readonly written: (Written | undefined)[];
  readonly keepers: (Multiplicities | undefined)[];
}

const placesOf = new WeakMap<Grid, Places>();

/**
 * How often the particles of a grid occur in the groups of a coordination number: fields, which move with their particles when these
 * are sorted. A number whose calls are prepared keeps a place of its own, for its derivatives too:
 *
 *   place 0   cngroupa    cngroupb    cnx    …    of the number that was evaluated last
 *   place 1   cngroupa_1  cngroupb_1  cnx_1  …    of the first that is prepared
 */
export class Multiplicities {
  readonly #kept: Places[] = [];

  /** A place that no other number writes to, until `close`. */
  keepPlace(grid: Grid): number {
    const places = within(grid);
    const { keepers } = places;
    const known = keepers.indexOf(this);
    if (known >= 0) return known;
    let place = SHARED_PLACE + 1;
    while (keepers[place]) place++;
    keepers[place] = this;
    this.#kept.push(places);
    return place;
  }

  /** Whether a place has them for the present particles. */
  areIn(grid: Grid, place: number): boolean {
    const written = within(grid).written[place];
    const isOwn = written?.by === this && written.domain === grid.domain;
    return isOwn && written.asked === particlesVersion(grid);
  }

  /** Writes them for particles at their present rows. The host must have the newest copy of their blocks, which it may share. */
  write(grid: Grid, place: number, groups: readonly [a: Multiset, b: Multiset]): void {
    const { domain } = grid;
    const asked = particlesVersion(grid);
    for (const [k, name] of multiplicityFields(place).entries()) {
      const { rows, weights } = groups[k]!;
      const values = new Float64Array(grid.count);
      rows.forEach((row, slot) => {
        values[row] = weights[slot]!;
      });
      grid.setValues(name, values);
    }
    within(grid).written[place] = { by: this, domain, asked };
  }

  /** Others may take its places. */
  close(): void {
    for (const { keepers } of this.#kept) keepers[keepers.indexOf(this)] = undefined;
    this.#kept.length = 0;
  }
}

function within(grid: Grid): Places {
  const known = placesOf.get(grid) ?? { written: [], keepers: [] };
  placesOf.set(grid, known);
  return known;
}
