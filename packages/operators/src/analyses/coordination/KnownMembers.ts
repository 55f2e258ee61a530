import type { Domain, Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { inLabels, labelBlock, labelGeneration, labelsOf } from './labels.js';
import { type Groups, type Members, membersOf } from './Members.js';

export interface NamedGroups extends Groups {
  /** Names of the particle types, for groups that are types. */
  readonly types?: readonly string[] | (() => readonly string[]);
}

/** Members as last looked up: by their rows of that time, and by labels, which stay right. */
interface Known {
  readonly grid: Grid;
  readonly domain: Domain;
  readonly count: number;
  /** See `particlesVersion`. */
  readonly asked: number;
  readonly sorted: number;
  /** Versions of ids, types and labels. */
  readonly versions: readonly number[];
  readonly members: Members;
  readonly labeled: Members;
}

/** Looks groups up in a grid when it must: a run that sorts its particles on the device needs not tell the host. */
export class KnownMembers {
  readonly #ctx: ExecutionContext;
  readonly #options: NamedGroups;
  #known: Known | null = null;

  constructor(ctx: ExecutionContext, options: NamedGroups) {
    this.#ctx = ctx;
    this.#options = options;
  }

  /** Whether particles have come, gone, or got another type since members of a grid were looked up. */
  isStale(grid: Grid): boolean {
    const known = this.#known;
    return known?.grid === grid && known.asked !== particlesVersion(grid);
  }

  /** Members of which only the numbers count: rows may have moved since. */
  async sizes(grid: Grid): Promise<Members> {
    const known = this.#knownOf(grid);
    return (known ?? (await this.#lookUp(grid))).members;
  }

  /** Members at their present rows. */
  async present(grid: Grid): Promise<Members> {
    // Calls under way may sort, also when steps that ran ahead are made again: only after them are rows known.
    if (this.#ctx.backend === 'webgpu') await this.#ctx.device?.finished();
    const known = this.#knownOf(grid);
    const isCurrent = known?.sorted === grid.sortVersion && isUpToDate(known);
    return (isCurrent ? known : await this.#lookUp(grid)).members;
  }

  /** Members by labels. */
  async labeled(grid: Grid): Promise<Members> {
    const known = this.#knownOf(grid);
    return (known && isUpToDate(known) ? known : await this.#lookUp(grid)).labeled;
  }

  #knownOf(grid: Grid): Known | null {
    const known = this.#known;
    const isSame = known?.grid === grid && known.domain === grid.domain;
    return isSame && known.count === grid.count && known.asked === particlesVersion(grid)
      ? known
      : null;
  }

  async #lookUp(grid: Grid): Promise<Known> {
    if (this.#ctx.backend === 'webgpu') await this.#ctx.device?.finished();
    const { groupA, groupB } = this.#options;
    const needsLabels = groupA !== 'all' || groupB !== undefined;
    if (needsLabels) grid.addBlock(labelBlock);
    await newestOnHost(grid, this.#ctx, ['id', 'type', ...(needsLabels ? labelBlock.members : [])]);
    const { domain, count, sortVersion: sorted } = grid;
    const { types = [] } = this.#options;
    const members = membersOf(this.#options, grid, typeof types === 'function' ? types() : types);
    const labeled = needsLabels ? inLabels(members, labelsOf(grid)) : members;
    const versions = versionsOf(grid);
    const asked = particlesVersion(grid);
    this.#known = { grid, domain, count, asked, sorted, versions, members, labeled };
    return this.#known;
  }
}

/** Grows when particles come, go, or get another type: members of groups are looked up again then. Sorts leave it as it is. */
export const particlesVersion = (grid: Grid): number =>
  grid.block('id').writesAsked + grid.block('type').writesAsked;

const versionsOf = (grid: Grid): number[] => [
  grid.block('id').hostVersion,
  grid.block('type').hostVersion,
  labelGeneration(grid),
];

/** Whether ids, types and labels are those that were looked up. */
function isUpToDate({ grid, versions }: Known): boolean {
  const present = versionsOf(grid);
  return versions.every((version, k) => version === present[k]);
}
