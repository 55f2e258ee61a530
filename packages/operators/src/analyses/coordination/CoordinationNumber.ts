import { CorpuscleError, type Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { areSeveral } from '../../run/areSeveral.js';
import { AllPairsSolver } from './AllPairsSolver.js';
import type { CoordinationSums } from './CoordinationSums.js';
import {
  type CoordinationPath,
  choosePath,
  listsForbidden,
  type PathChoice,
} from './choosePath.js';
import { KnownMembers, type NamedGroups } from './KnownMembers.js';
import { ListReuse } from './ListReuse.js';
import { type ListReach, ListSolver, listRange } from './ListSolver.js';
import type { Members } from './Members.js';
import { Multiplicities } from './Multiplicities.js';
import { coordinationBlock } from './neighborPairs.js';
import type { PreparedCoordination } from './PreparedCoordination.js';
import {
  derivativeBlock,
  multiplicityBlocks,
  multiplicityFields,
  SHARED_PLACE,
} from './placeFields.js';
import { type Switching, switchingFunction } from './switching/Switching.js';
import type { SwitchOptions } from './switching/SwitchOptions.js';

/** A coordination number: groups, switching function, and how it is computed. */
export interface CoordinationOptions extends NamedGroups {
  /** s(r); lengths are in the units of the grid. */
  readonly switch: SwitchOptions;
  /** The form of r0, nn, mm, d0 alone, with dMax chosen by itself. Default false. */
  readonly keywordForm?: boolean;
  /** Default true. */
  readonly pbc?: boolean;
  /** Default 'auto'; `neighbour_lists` is an old name of `neighbor_lists`. */
  readonly path?: 'auto' | CoordinationPath | 'neighbour_lists';
}

export interface CoordinationValue extends CoordinationSums, PathChoice {}

/** Whether multiplicities tell whose pairs count. */
const isWeighted = ({ everything, mode }: Members): boolean => !everything && mode !== 'pair';

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
  readonly #lists: ListSolver;
  readonly #members: KnownMembers;
  readonly #multiplicities = new Multiplicities();
  readonly #reuse = new ListReuse();

  constructor(ctx: ExecutionContext, options: CoordinationOptions) {
    this.#ctx = ctx;
    this.#options = options;
    this.switching = switchingFunction(options.switch, options.keywordForm);
    this.#members = new KnownMembers(ctx, options);
    this.#allPairs = new AllPairsSolver(ctx);
    this.#lists = new ListSolver(ctx, this.switching);
  }

  /** Which way `evaluate` would go, and why. */
  async explain(grid: Grid): Promise<PathChoice> {
    return this.#choose(grid, await this.#members.sizes(grid));
  }

  /**
   * The coordination number of a grid, with its derivatives by positions and box.
   *
   * @param reach lists of a run to be shared: their cutoff and skin, or 'current' where the grid's lists reach far enough
   *   already. Default: lists of its own range; from the second frame of a grid on they last, with a skin that follows the
   *   motion, unless particles move too far
   * @throws CorpuscleError NOT_FINITE when a position is not finite.
   */
  async evaluate(grid: Grid, reach?: ListReach | 'current'): Promise<CoordinationValue> {
    const found = await this.#evaluate(grid, reach);
    if (Number.isFinite(found.value)) return found;
    throw new CorpuscleError(
      'NOT_FINITE',
      `the coordination number is ${found.value}: a position or the switching function is not finite, or a particle has left an open box far behind`,
    );
  }

  async #evaluate(grid: Grid, reach?: ListReach | 'current'): Promise<CoordinationValue> {
    const { pbc = true } = this.#options;
    grid.addBlock(coordinationBlock);
    const sizes = await this.#members.sizes(grid);
    const choice = this.#choose(grid, sizes, reach);
    if (isWeighted(sizes)) await this.#writeMembership(grid, SHARED_PLACE);
    if (choice.path !== 'all_pairs') {
      const lasts = choice.path === 'neighbor_lists';
      const rcut = typeof reach === 'object' ? reach.rcut : 0; // those who share the lists look as far
      const lists = lasts ? (reach ?? { rcut, skin: 'auto' }) : { rcut, skin: 0 };
      const sums = await this.#lists.evaluate(grid, sizes, lists);
      this.#reuse.note(grid, lasts, sums.rebuilt);
      return { value: sums.value, box: sums.box, ...choice };
    }
    const members = sizes.everything ? sizes : await this.#members.labeled(grid);
    return { ...(await this.#allPairs.evaluate(grid, this.switching, members, pbc)), ...choice };
  }

  /**
   * The calls of an evaluation, for loops in which nothing of it travels to the host. Lists are those of the loop: null where they are to be
   * made for each evaluation, or where no pairs count. Groups are looked up here.
   * @param farthest how far lists of the loop may reach. Default 0: pairs of groups are met without lists, or it is null
   */
  async prepare(grid: Grid, farthest = 0): Promise<PreparedCoordination | null> {
    const { pbc = true } = this.#options;
    grid.addBlock(coordinationBlock);
    const sizes = await this.#members.sizes(grid);
    const { path } = this.#choose(grid, sizes);
    const isByLists = path !== 'all_pairs';
    const mayReach = listRange(this.switching) <= farthest && this.#options.path !== 'cell_lists';
    if (isByLists && !mayReach) return null;
    // Calls have multiplicities and derivatives of their own, whatever other numbers are evaluated meanwhile.
    const place = this.#multiplicities.keepPlace(grid);
    grid.addBlock(derivativeBlock(place));
    if (isWeighted(sizes)) await this.#writeMembership(grid, place);
    if (isByLists) {
      const byLists = this.#lists.prepare(grid, sizes, place);
      const isExact = () => !listsForbidden(this.switching, sizes.mode, grid.domain, pbc);
      return { ...byLists, isCurrent: () => byLists.isCurrent() && isExact() };
    }
    const members = sizes.everything ? sizes : await this.#members.labeled(grid);
    return this.#allPairs.prepare(grid, this.switching, members, pbc, place);
  }

  /**
   * Writes what evaluations find in a grid, without one: a run that goes on from a checkpoint writes nothing later that it did not
   * write before.
   */
  async restore(grid: Grid): Promise<void> {
    // Ranks look groups up in each evaluation, among all particles: a rank has only some of them.
    if (areSeveral(this.#ctx)) return;
    grid.addBlock(coordinationBlock);
    if (isWeighted(await this.#members.sizes(grid)))
      await this.#writeMembership(grid, SHARED_PLACE);
  }

  /** Whether the next evaluation looks groups up again, since particles have changed. */
  isStale(grid: Grid): boolean {
    return this.#members.isStale(grid);
  }

  /** Makes sure that the multiplicities of the groups are in the grid's fields `cngroupa` and `cngroupb`, where they matter. */
  async groupsOf(grid: Grid): Promise<'all' | 'group_a'> {
    const { everything } = await this.#members.sizes(grid);
    if (everything || (this.#options.groupA === 'all' && !this.#options.pair)) return 'all';
    await this.#writeMembership(grid, SHARED_PLACE);
    return 'group_a';
  }

  /** Gives back what is prepared, and the buffers of the all-pairs path. */
  close(): void {
    this.#lists.close();
    this.#allPairs.close();
    this.#multiplicities.close();
  }

  #choose(grid: Grid, members: Members, reach?: ListReach | 'current'): PathChoice {
    const { path: asked = 'auto', pbc = true } = this.#options;
    const path = asked === 'neighbour_lists' ? 'neighbor_lists' : asked;
    const forbidden = listsForbidden(this.switching, members.mode, grid.domain, pbc);
    const reuse = reach ? { lasts: true, why: 'lists are shared' } : this.#reuse.ask(grid);
    if (path === 'auto') {
      const backend = this.#ctx.backend === 'webgpu' ? 'webgpu' : 'cpu';
      return choosePath(members, grid.count, forbidden, reuse, backend);
    }
    if (path !== 'all_pairs' && forbidden !== null)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `neighbor lists cannot be used here: ${forbidden}; use path all_pairs or auto`,
      );
    return { path, reason: `path ${path} was asked for` };
  }

  async #writeMembership(grid: Grid, place: number): Promise<void> {
    if (this.#multiplicities.areIn(grid, place)) return;
    for (const block of multiplicityBlocks(place)) grid.addBlock(block);
    // Others may have written to them on a device.
    await newestOnHost(grid, this.#ctx, multiplicityFields(place));
    const { a, b } = await this.#members.present(grid);
    this.#multiplicities.write(grid, place, [a, b]);
  }
}
