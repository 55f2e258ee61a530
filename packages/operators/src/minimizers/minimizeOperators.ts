import {
  type Composite,
  CorpuscleError,
  defineOperator,
  dimensions,
  type SlotSpecs,
  type UnitSystem,
  type WrittenValue,
} from '@corpuscle/core';
import { type BoxCoupling, couplingSlot } from '../box/coupling.js';
import { newBox } from '../box/newBox.js';
import { settledBox } from '../box/RunBox.js';
import { currentLists } from '../run/currentLists.js';
import { usedCutoffs } from '../run/cutoffs.js';
import { contextOf, gridKey, ledgerKey } from '../run/stateKeys.js';
import { groupOptions, groupSlot } from '../sets/group/Groups.js';
import { type MinimizeOptions, makeSearch } from './minimize.js';
import { checkRelaxed, type RelaxedBox } from './relaxBox.js';
import type { Search, SearchEnd, SearchProgress } from './Search.js';
import { moveAlong, SearchVectors, searchSums, turnSearch } from './SearchVectors.js';

const slots = {
  style: {
    type: 'enum',
    values: ['fire', 'cg', 'sd'],
    default: 'cg',
    doc: 'fire: FIRE 2.0; cg: conjugate gradients of Polak and Ribière; sd: steepest descent',
  },
  energy_tolerance: {
    type: 'number',
    min: 0,
    default: 0,
    doc: 'ends when the energy changes by less than this part of it in an iteration',
  },
  force_tolerance: {
    type: 'quantity',
    dimension: dimensions.force,
    min: 0,
    doc: 'ends when no force on a particle is larger',
  },
  max_steps: { type: 'integer', min: 0, default: 10_000, doc: 'iterations at most' },
  max_displacement: {
    type: 'quantity',
    dimension: dimensions.length,
    above: 0,
    doc: 'the farthest that a particle goes in an iteration; default: a fiftieth of the largest cutoff',
  },
  pressure: {
    type: 'quantity',
    dimension: dimensions.pressure,
    doc: 'relaxes the box to this pressure; default: the box stays',
  },
  coupling: {
    ...couplingSlot,
    default: undefined,
    doc: `what relaxes with a pressure. ${couplingSlot.doc}; default: iso`,
  },
  ...groupSlot,
  file: {
    type: 'file',
    mode: 'write',
    doc: 'a table with a line for each evaluation: steps, energy, largest force',
  },
} as const satisfies SlotSpecs;

/** Lists for the places that a minimizer has moved particles to. */
export const exactNeighbors = defineOperator({
  name: 'exact_neighbors',
  doc: 'Makes neighbor lists good for the present positions, however far particles have moved.',
  slots: {},
  requires: [gridKey],
  execute: ({ state }) => currentLists(state),
});

interface Own {
  search: Search | null;
  progress: SearchProgress;
  evaluations: number;
}

/** A turn of `minimize`: forces are those of the present positions. */
export const minimizeStep = defineOperator({
  name: 'minimize_step',
  doc: 'Looks at the forces and moves particles toward a minimum of their energy; ends the loop around it when they are there.',
  slots,
  endsLoop: true,
  needs: ['energy', 'virial'],
  requires: [gridKey, ledgerKey],
  functors: [searchSums, turnSearch, moveAlong],
  checkBox({ pressure, coupling = 'iso' }, domain) {
    if (pressure !== undefined) checkRelaxed(domain, coupling as BoxCoupling);
  },
  validate({ slots: { energy_tolerance, force_tolerance, pressure, coupling }, fail }) {
    if (force_tolerance === undefined && !energy_tolerance)
      fail('', 'MISSING_VALUE', 'minimize needs force_tolerance, or energy_tolerance: give one');
    if (coupling !== undefined && pressure === undefined)
      fail('coupling', 'MISSING_VALUE', 'minimize has coupling and no pressure: give one');
  },
  prepare: (): Own => ({ search: null, progress: startOf(), evaluations: 0 }),
  async execute(context) {
    const { slots: given, state, own, stopLoop } = context;
    await settledBox(state);
    if (!own.search) {
      Object.assign(own, { progress: startOf(), evaluations: 0 });
      const grid = state.get(gridKey);
      const vectors = new SearchVectors(grid, contextOf(state), groupOptions(state, given.group));
      const box: RelaxedBox = {
        get domain() {
          return state.get(gridKey).wholeDomain;
        },
        set: (domain) => newBox(state, domain, 'positions'),
      };
      const rcut = Math.max(0, ...usedCutoffs(state.simulation).map((used) => used.rcut));
      own.search = makeSearch(vectors, optionsOf(given), { rcut, box }, own.progress);
      await own.search.next(NOTHING);
    }
    const totals = await state.get(ledgerKey).totals();
    if (!Number.isFinite(totals.energy))
      throw new CorpuscleError(
        'NOT_FINITE',
        `the energy is ${totals.energy} after ${own.progress.steps} steps of minimize: particles are too close, move them apart first`,
      );
    own.evaluations++;
    const found = await own.search.next(totals);
    const { steps, energy, largestForce } = own.progress;
    if (given.file !== undefined) {
      const out = state.output.open(given.file);
      if (out.position === 0) out.write('evaluation,step,energy,largest_force\n');
      const { units } = state.simulation.configuration;
      const shown = [
        units.fromInternal(energy, dimensions.energy),
        units.fromInternal(largestForce, dimensions.force),
      ];
      out.write(`${own.evaluations},${steps},${shown.join(',')}\n`);
    }
    if (!found.done) return;
    state.say(summaryOf(found.value, own, state.simulation.configuration.units));
    own.search = null;
    stopLoop();
  },
});

const NOTHING = { energy: 0, virial: [0, 0, 0, 0, 0, 0] } as const;
const startOf = (): SearchProgress => ({ steps: 0, energy: 0, largestForce: 0 });

function optionsOf(given: {
  readonly style: 'fire' | 'cg' | 'sd';
  readonly energy_tolerance: number;
  readonly force_tolerance?: number;
  readonly max_steps: number;
  readonly max_displacement?: number;
  readonly pressure?: number;
  readonly coupling?: BoxCoupling;
}): MinimizeOptions {
  return {
    style: given.style,
    energyTolerance: given.energy_tolerance,
    forceTolerance: given.force_tolerance ?? 0,
    maxSteps: given.max_steps,
    maxDisplacement: given.max_displacement,
    pressure: given.pressure,
    coupling: given.coupling,
  };
}

const reasons: Readonly<Record<SearchEnd, string>> = {
  force: 'forces are below force_tolerance',
  energy: 'the energy changes by less than energy_tolerance',
  steps: 'max_steps are done, and it has not converged',
  boxes: 'the box has changed 100 times, and has not come to the pressure',
  line: 'no step lowers the energy any more, in the precision of the run',
};

function summaryOf(end: SearchEnd, { progress, evaluations }: Own, units: UnitSystem): string {
  const { steps } = progress;
  const energy = units.fromInternal(progress.energy, dimensions.energy);
  const force = units.fromInternal(progress.largestForce, dimensions.force);
  const reason = end === 'force' ? reasons[end] : `${reasons[end]}; the largest force is ${force}`;
  return `minimize: energy ${energy} after ${steps} steps and ${evaluations} evaluations: ${reason}`;
}

/**
 * `minimize` in a batch:
 *
 *   loop   exact_neighbors │ update_forces │ minimize_step
 */
export const minimizeComposite: Composite = {
  name: 'minimize',
  doc: 'Moves particles to a minimum of their energy, and the box to a pressure if one is given. Says how many iterations and evaluations of forces that took, and why it ended. Velocities stay as they are.',
  slots,
  expand: ([use]): readonly WrittenValue[] => [
    {
      loop: true,
      body: ['exact_neighbors', 'update_forces', { minimize_step: use!.settings }],
    },
  ],
};
