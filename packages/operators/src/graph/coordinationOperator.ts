import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type ErrorCode,
  type SimulationState,
} from '@corpuscle/core';
import { CoordinationNumber } from '../coordination/CoordinationNumber.js';
import { checkGroups } from '../coordination/checkGroups.js';
import { boxMatrix, coordinationById } from '../coordination/coordination.js';
import {
  type CoordinationFormat,
  coordinationFormats,
  coordinationHeader,
  coordinationLines,
  formatOfName,
} from '../coordination/formatCoordination.js';
import type { Group } from '../coordination/Group.js';
import { harmonicBias } from '../coordination/harmonicBias.js';
import { type ListReach, listRange } from '../coordination/ListSolver.js';
import { checkSwitch } from '../coordination/switching/checkSwitch.js';
import { switchingFunction } from '../coordination/switching/Switching.js';
import type { SwitchOptions } from '../coordination/switching/SwitchOptions.js';
import { addForces } from './currentLedger.js';
import { freshnessOf, stampOf } from './freshness.js';
import { speciesOf } from './placeParticles.js';
import { contextOf, gridKey, planKey } from './stateKeys.js';
import { type SwitchSlots, spellSwitch, switchOptions, switchSlot } from './switchSlot.js';

const group = {
  type: 'any_of',
  options: [
    { type: 'string' },
    { type: 'list', of: { type: 'integer' } },
    {
      type: 'map',
      entries: {
        first: { type: 'integer', required: true, doc: 'first id' },
        last: { type: 'integer', required: true, doc: 'last id' },
        stride: { type: 'integer', default: 1, doc: 'step between ids' },
      },
    },
  ],
} as const;

export const coordinationOperator = defineOperator({
  name: 'coordination',
  doc: 'Coordination number: the sum of a switching function of the distance over pairs of particles, with derivatives by positions and box.',
  slots: {
    group_a: {
      ...group,
      required: true,
      doc: 'all, a particle type, a list of ids, or { first, last, stride }',
    },
    group_b: { ...group, doc: 'second group; default: pairs within group_a' },
    pair: {
      type: 'boolean',
      default: false,
      doc: 'only the k-th particle of group_a with the k-th of group_b',
    },
    switch: { ...switchSlot, required: true, doc: 'the switching function' },
    keyword_form: {
      type: 'boolean',
      default: false,
      doc: 'rational with r_0, nn, mm and d_0 only: d_max follows, and s is stretched',
    },
    pbc: { type: 'boolean', default: true, doc: 'whether distances are to the nearest image' },
    list_cutoff: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'reach of reused neighbour lists, at least d_max; default: lists made anew; in a run its own lists serve',
    },
    file: {
      type: 'file',
      mode: 'write',
      doc: 'output file; default: the value is shown on the terminal',
    },
    format: {
      type: 'enum',
      values: coordinationFormats,
      doc: 'json: a line with everything for each frame; csv, colvar: tables; default: by the name of the file',
    },
    frequency: {
      type: 'integer',
      min: 1,
      doc: 'steps between evaluations; default: one whenever the operator runs',
    },
    harmonic_bias: {
      type: 'map',
      entries: {
        at: { type: 'number', required: true, doc: 'where the bias is 0' },
        kappa: {
          type: 'quantity',
          dimension: dimensions.energy,
          min: 0,
          required: true,
          doc: 'stiffness',
        },
      },
      doc: 'adds forces of the energy kappa/2 (value − at)²; the operator then belongs into compute_force',
    },
    coordination_number: { type: 'number', direction: 'output', doc: 'the value' },
  },
  requires: [gridKey],
  validate({ slots, fail, particleTypes }) {
    const groups = {
      group_a: slots.group_a as Group | undefined,
      group_b: slots.group_b as Group | undefined,
      pair: slots.pair,
    };
    const inGroups = checkGroups(groups, particleTypes.names);
    if (inGroups) fail(inGroups.option, inGroups.code, inGroups.message);
    if (!slots.switch) return;
    const options = switchOptions(slots.switch as SwitchSlots);
    const inSwitch = checkSwitch(options, slots.keyword_form ?? false, spellSwitch);
    if (inSwitch) {
      const path = inSwitch.option === '' ? 'switch' : `switch.${spellSwitch(inSwitch.option)}`;
      fail(path, inSwitch.missing ? 'MISSING_VALUE' : 'INVALID_VALUE', inSwitch.message);
    }
    const range = rangeOf(options, slots.keyword_form, fail);
    if (slots.list_cutoff !== undefined && !(slots.list_cutoff >= range))
      fail(
        'list_cutoff',
        'INVALID_VALUE',
        `list_cutoff ${slots.list_cutoff} is below d_max ${range}: pairs would be lost; raise it, or remove it`,
      );
    if (slots.format !== undefined && slots.file === undefined)
      fail(
        'format',
        'INVALID_VALUE',
        'format is given without a file: give file, or remove format',
      );
  },
  prepare({ slots, state }) {
    const { file } = slots;
    const format = (slots.format as CoordinationFormat | undefined) ?? formatOfName(file ?? '');
    const out = file === undefined ? null : state.output.open(file);
    out?.write(coordinationHeader(format));
    const number = new CoordinationNumber(contextOf(state), {
      groupA: slots.group_a as Group,
      groupB: slots.group_b as Group | undefined,
      pair: slots.pair,
      switch: switchOptions(slots.switch as SwitchSlots),
      keywordForm: slots.keyword_form,
      pbc: slots.pbc,
      types: () => speciesOf(state),
    });
    return { number, out, format };
  },
  execute({ slots, state, own, set }) {
    const isDue = slots.frequency === undefined || state.step % slots.frequency === 0;
    if (!isDue && !slots.harmonic_bias) return undefined;
    return evaluate();

    async function evaluate(): Promise<void> {
      const { number, out, format } = own;
      const grid = state.get(gridKey);
      const plan = state.find(planKey);
      const stamp = stampOf(state);
      const { value, box, path } = await number.evaluate(grid, reachOf());
      // From now on the run's lists serve this operator too.
      const rcut = listRange(number.switching);
      if (plan && path === 'neighbour_lists' && plan.rcut < rcut)
        state.set(planKey, { ...plan, rcut });
      restamp(state, stamp);
      set('coordination_number', value);
      if (slots.harmonic_bias)
        await addForces(state, harmonicBias({ value, box }, slots.harmonic_bias));
      if (!isDue) return;
      if (!out) {
        state.say(`coordination ${value}`);
        return;
      }
      const { units } = state.simulation.configuration;
      const particles =
        format === 'json' ? await coordinationById(grid, contextOf(state)) : undefined;
      const perLength = units.fromInternal(1, dimensions.inverseLength);
      if (perLength !== 1 && particles)
        for (let k = 0; k < particles.derivatives.length; k++)
          particles.derivatives[k]! *= perLength;
      const record = {
        step: state.step,
        time: units.fromInternal(state.time, dimensions.time),
        value,
        boxDerivatives: boxMatrix(box),
        particles,
      };
      for (const text of coordinationLines(format, record)) out.write(text);
    }

    /** Lists of the run are shared; without a run they last as long as `list_cutoff` allows. */
    function reachOf(): ListReach {
      const plan = state.find(planKey);
      if (plan) return plan;
      const { range } = own.number.switching;
      return { rcut: 0, skin: slots.list_cutoff === undefined ? 0 : slots.list_cutoff - range };
    }
  },
  dispose({ own }) {
    own.number.close();
  },
});

/** Sorting moves rows, and what belongs to them with them: what was good for the positions still is. */
function restamp(state: SimulationState, before: number): void {
  const freshness = freshnessOf(state);
  const now = stampOf(state);
  if (freshness.lists === before) freshness.lists = now;
  if (freshness.forces === before) freshness.forces = now;
}

/** Reach of a switch that has passed `checkSwitch`. */
function rangeOf(
  options: SwitchOptions,
  keywordForm: boolean | undefined,
  fail: (path: string, code: ErrorCode, message: string) => never,
): number {
  try {
    return switchingFunction(options, keywordForm).range;
  } catch (error) {
    if (!(error instanceof CorpuscleError)) throw error;
    return fail('switch', error.code, error.message);
  }
}
