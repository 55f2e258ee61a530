import { CorpuscleError, type Domain, type Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { AllPairsSolver } from './AllPairsSolver.js';
import type { CoordinationSums } from './CoordinationSums.js';
import {
  type CoordinationPath,
  choosePath,
  listsForbidden,
  type PathChoice,
} from './choosePath.js';
import { ListReuse } from './ListReuse.js';
import { coordinationByLists, type ListReach } from './ListSolver.js';
import { type Groups, type Members, membersOf } from './Members.js';
import { coordinationBlock, membershipBlocks } from './neighbourPairs.js';
import { type Switching, switchingFunction } from './switching/Switching.js';
import type { SwitchOptions } from './switching/SwitchOptions.js';

export interface CoordinationOptions extends Groups {
  readonly switch: SwitchOptions;
  /** The form of r0, nn, mm, d0 alone, with dMax chosen by itself. Default false. */
  readonly keywordForm?: boolean;
  /** Default true. */
  readonly pbc?: boolean;
  /** Names of the particle types, for groups that are types. */
  readonly types?: readonly string[] | (() => readonly string[]);
  /** Default 'auto'. */
  readonly path?: 'auto' | CoordinationPath;
}

export interface CoordinationValue extends CoordinationSums, PathChoice {}

/** Members as last looked up. */
interface Known {
  readonly grid: Grid;
  readonly domain: Domain;
  readonly count: number;
  readonly sorted: number;
  readonly members: Members;
}

/** Whose multiplicities a grid holds, for which particles. */
const owners = new WeakMap<Grid, { owner: CoordinationNumber; domain: Domain }>();

/**
 * A coordination number of a grid's particles, to be evaluated again and again.
 *
 * Pairs are those of slots: i < j within one group, all of A with all of B, or slot k with slot k (`pair`). A pair of slots
 * with the same particle does not count. After `evaluate` the grid's block `coordination` has, for every particle, the
 * derivative of the value by its position (`cnx`, `cny`, `cnz`) and its own number (`cn`): the sum over the pairs it
 * takes part in, once for each of its slots.
 *
 * @throws CorpuscleError INVALID_VALUE, MISSING_VALUE, UNKNOWN_TYPE
 * @example
 * const cn = new CoordinationNumber(ctx, { groupA: 'all', switch: { type: 'rational', r0: 0.3, dMax: 0.6 } });
 * const { value, path } = await cn.evaluate(grid);
 * cn.close();
 */
export class CoordinationNumber {
  readonly switching: Switching;
  readonly #ctx: ExecutionContext;
  readonly #options: CoordinationOptions;
  readonly #allPairs: AllPairsSolver;
  readonly #reuse = new ListReuse();
  #known: Known | null = null;

  constructor(ctx: ExecutionContext, options: CoordinationOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.switching = switchingFunction(options.switch, options.keywordForm);
    this.#allPairs = new AllPairsSolver(ctx);
  }

  /** Which way `evaluate` would go, and why. */
  async explain(grid: Grid): Promise<PathChoice> {
    return this.#choose(grid, await this.#sizes(grid));
  }

  /**
   * @param reach lists of a run to be shared: their cutoff and skin. Default: lists of its own range; from the second
   *   frame of a grid on they last, with a skin that follows the motion, unless particles move too far
   * @throws CorpuscleError NOT_FINITE
   */
  async evaluate(grid: Grid, reach?: ListReach): Promise<CoordinationValue> {
    const found = await this.#evaluate(grid, reach);
    if (Number.isFinite(found.value)) return found;
    throw new CorpuscleError(
      'NOT_FINITE',
      `the coordination number is ${found.value}: a position or the switching function is not finite, or a particle has left an open box far behind`,
    );
  }

  async #evaluate(grid: Grid, reach?: ListReach): Promise<CoordinationValue> {
    const { pbc = true } = this.#options;
    grid.addBlock(coordinationBlock);
    const sizes = await this.#sizes(grid);
    const choice = this.#choose(grid, sizes, reach);
    if (!sizes.everything && sizes.mode !== 'pair') await this.#writeMembership(grid);
    if (choice.path !== 'all_pairs') {
      const lasts = choice.path === 'neighbour_lists';
      const lists = lasts ? (reach ?? { rcut: 0, skin: 'auto' }) : { rcut: 0, skin: 0 };
      const sums = await coordinationByLists(grid, this.#ctx, this.switching, sizes, lists);
      this.#reuse.note(grid, lasts, sums.rebuilt);
      return { value: sums.value, box: sums.box, ...choice };
    }
    const members = sizes.everything ? sizes : await this.#current(grid);
    return { ...(await this.#allPairs.evaluate(grid, this.switching, members, pbc)), ...choice };
  }

  /** Makes sure that the multiplicities of the groups are in the grid's fields `cngroupa` and `cngroupb`, where they matter. */
  async groupsOf(grid: Grid): Promise<'all' | 'group_a'> {
    const { everything } = await this.#sizes(grid);
    if (everything || (this.#options.groupA === 'all' && !this.#options.pair)) return 'all';
    await this.#writeMembership(grid);
    return 'group_a';
  }

  close(): void {
    this.#allPairs.close();
  }

  #choose(grid: Grid, members: Members, reach?: ListReach): PathChoice {
    const { path = 'auto', pbc = true } = this.#options;
    const forbidden = listsForbidden(this.switching, members.mode, grid.domain, pbc);
    const reuse = reach ? { lasts: true, why: 'lists are shared' } : this.#reuse.ask(grid);
    if (path === 'auto') {
      const backend = this.#ctx.backend === 'webgpu' ? 'webgpu' : 'cpu';
      return choosePath(members, grid.count, forbidden, reuse, backend);
    }
    if (path !== 'all_pairs' && forbidden !== null)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `neighbour lists cannot be used here: ${forbidden}; use path all_pairs or auto`,
      );
    return { path, reason: `path ${path} was asked for` };
  }

  /** Members of which only the numbers count: rows may have moved since. */
  async #sizes(grid: Grid): Promise<Members> {
    const known = this.#known;
    const isSame = known?.grid === grid && known.domain === grid.domain;
    if (isSame && known.count === grid.count) return known.members;
    return this.#current(grid);
  }

  /** Members at their present rows. */
  async #current(grid: Grid): Promise<Members> {
    // Calls under way may sort, also when steps that ran ahead are made again: only behind them are rows known.
    if (this.#ctx.backend === 'webgpu') await this.#ctx.gpu?.finished();
    await newestOnHost(grid, this.#ctx, ['id', 'type']);
    const { domain, sortVersion: sorted } = grid;
    const known = this.#known;
    if (known?.grid === grid && known.domain === domain && known.sorted === sorted)
      return known.members;
    const { types = [] } = this.#options;
    const members = membersOf(this.#options, grid, typeof types === 'function' ? types() : types);
    this.#known = { grid, domain, count: grid.count, sorted, members };
    return members;
  }

  // Multiplicities are a field: they move with their particles when these are sorted.
  async #writeMembership(grid: Grid): Promise<void> {
    const present = owners.get(grid);
    if (present?.owner === this && present.domain === grid.domain) return;
    const { a, b } = await this.#current(grid);
    [a, b].forEach(({ rows, weights }, k) => {
      const block = grid.addBlock(membershipBlocks[k]!);
      const values = block.array as Float64Array;
      values.fill(0);
      rows.forEach((row, slot) => {
        values[row] = weights[slot]!;
      });
      block.hostWritten();
    });
    owners.set(grid, { owner: this, domain: grid.domain });
  }
}
