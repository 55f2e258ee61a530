import { CorpuscleError, type Domain, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { areSeveral } from '../../run/areSeveral.js';
import { AllPairsSolver } from './AllPairsSolver.js';
import type { CoordinationSums } from './CoordinationSums.js';
import {
  type CoordinationPath,
  choosePath,
  listsForbidden,
  type PathChoice,
} from './choosePath.js';
import { KnownMembers, type NamedGroups, particlesVersion } from './KnownMembers.js';
import { ListReuse } from './ListReuse.js';
import { type ListReach, ListSolver, listRange } from './ListSolver.js';
import type { Members } from './Members.js';
import { coordinationBlock, membershipBlocks } from './neighborPairs.js';
import type { PreparedCoordination } from './PreparedCoordination.js';
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

/** Whose multiplicities a grid holds, for which particles. */
interface Owned {
  readonly owner: CoordinationNumber;
  readonly domain: Domain;
  /** See `particlesVersion`. */
  readonly asked: number;
  /** Whether prepared calls read them. */
  isBound: boolean;
}

const owners = new WeakMap<Grid, Owned>();

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
    const before = owners.get(grid);
    const found = await this.#evaluate(grid, reach);
    if (before?.isBound) await before.owner.#writeAgain(grid, before);
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
    if (isWeighted(sizes)) await this.#writeMembership(grid);
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
    if (isWeighted(sizes)) await this.#writeMembership(grid);
    // Another number of the same particles writes those of its own groups.
    const written = owners.get(grid);
    if (written && isWeighted(sizes)) written.isBound = true;
    const isOwner = () => !isWeighted(sizes) || owners.get(grid) === written;
    if (isByLists) {
      const byLists = this.#lists.prepare(grid, sizes);
      const isExact = () => !listsForbidden(this.switching, sizes.mode, grid.domain, pbc);
      return { ...byLists, isCurrent: () => byLists.isCurrent() && isOwner() && isExact() };
    }
    const members = sizes.everything ? sizes : await this.#members.labeled(grid);
    const found = this.#allPairs.prepare(grid, this.switching, members, pbc);
    return found && { ...found, isCurrent: () => found.isCurrent() && isOwner() };
  }

  /**
   * Writes what evaluations find in a grid, without one: a run that goes on from a checkpoint writes nothing later that it did not
   * write before.
   */
  async restore(grid: Grid): Promise<void> {
    // Ranks look groups up in each evaluation, among all particles: a rank has only some of them.
    if (areSeveral(this.#ctx)) return;
    grid.addBlock(coordinationBlock);
    if (isWeighted(await this.#members.sizes(grid))) await this.#writeMembership(grid);
  }

  /** Whether the next evaluation looks groups up again, since particles have changed. */
  isStale(grid: Grid): boolean {
    return this.#members.isStale(grid);
  }

  /** Makes sure that the multiplicities of the groups are in the grid's fields `cngroupa` and `cngroupb`, where they matter. */
  async groupsOf(grid: Grid): Promise<'all' | 'group_a'> {
    const { everything } = await this.#members.sizes(grid);
    if (everything || (this.#options.groupA === 'all' && !this.#options.pair)) return 'all';
    await this.#writeMembership(grid);
    return 'group_a';
  }

  /** Gives back what is prepared, and the buffers of the all-pairs path. */
  close(): void {
    this.#lists.close();
    this.#allPairs.close();
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

  // Multiplicities are a field: they move with their particles when these are sorted.
  async #writeMembership(grid: Grid): Promise<void> {
    const present = owners.get(grid);
    const [{ domain }, asked] = [grid, particlesVersion(grid)];
    const isOwn = present?.owner === this && present.domain === domain;
    if (isOwn && present.asked === asked) return;
    const { a, b } = await this.#members.present(grid);
    [a, b].forEach(({ rows, weights }, k) => {
      const block = grid.addBlock(membershipBlocks[k]!);
      const values = block.array as Float64Array;
      values.fill(0);
      rows.forEach((row, slot) => {
        values[row] = weights[slot]!;
      });
      block.hostWritten();
    });
    owners.set(grid, { owner: this, domain, asked, isBound: false });
  }

  /** What prepared calls read is there again after another number has been evaluated, where particles are the same. */
  async #writeAgain(grid: Grid, owned: Owned): Promise<void> {
    const isSame = owned.domain === grid.domain && owned.asked === particlesVersion(grid);
    if (!isSame || owners.get(grid) === owned) return;
    await this.#writeMembership(grid);
    owners.set(grid, owned);
  }
}
