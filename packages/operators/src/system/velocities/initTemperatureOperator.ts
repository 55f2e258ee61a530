import { defineOperator, dimensions, type Grid } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { onWholeGrid } from '../../analyses/define/onWholeGrid.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { GROUP_MASK, groupRows, groupSlot } from '../../sets/group/Groups.js';
import { initTemperature } from './initTemperature.js';

export const initTemperatureOperator = defineOperator({
  name: 'init_temperature',
  doc: 'Gives particles random velocities of exactly a temperature over 3N − 3 degrees of freedom, without total momentum.',
  slots: {
    temperature: {
      type: 'quantity',
      dimension: dimensions.temperature,
      min: 0,
      required: true,
      doc: 'the temperature',
    },
    method: {
      type: 'enum',
      values: ['gaussian', 'lammps_geom'],
      default: 'gaussian',
      doc: 'gaussian: Maxwell–Boltzmann, keyed by particle id; lammps_geom: the numbers of LAMMPS velocity create … loop geom',
    },
    ...groupSlot,
    seed: { type: 'integer', min: 0, doc: 'default the seed of the configuration' },
  },
  requires: [gridKey],
  reads: ['position', 'mass', 'id', GROUP_MASK],
  writes: ['velocity'],
  execute({ slots, state }) {
    const draw = async (grid: Grid): Promise<void> => {
      const { configuration } = state.simulation;
      await newestOnHost(grid, contextOf(state));
      initTemperature(grid, {
        temperature: slots.temperature,
        method: slots.method as 'gaussian' | 'lammps_geom',
        seed: slots.seed ?? configuration.seed,
        boltzmann: configuration.units.boltzmann,
        ...(slots.group !== 'all' && { rows: groupRows(state, slots.group) }),
      });
    };
    const present = state.get(gridKey);
    // Before the first lists every rank has all particles, and need not copy them.
    const isDivided = present.wholeDomain !== present.domain;
    return isDivided ? onWholeGrid(state, draw) : draw(present);
  },
});
