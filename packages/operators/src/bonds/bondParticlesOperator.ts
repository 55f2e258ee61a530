import { defineOperator, type SimulationState } from '@corpuscle/core';
import { onWholeGrid } from '../analyses/define/onWholeGrid.js';
import { gridKey } from '../run/stateKeys.js';
import type { BondedScaling } from './Bonds.js';
import { bondParticles, bondsOf } from './bondParticles.js';
import { readBonds } from './readBonds.js';

export const bondParticlesOperator = defineOperator({
  name: 'bond_particles',
  doc: 'Tells which particles are bonded: pair potentials scale pairs along bonds, and bond forces act on them.',
  slots: {
    bonds: {
      type: 'list',
      of: { type: 'list', of: { type: 'integer', min: 0 }, length: 2 },
      doc: 'pairs of ids',
    },
    file: {
      type: 'file',
      mode: 'read',
      doc: 'instead: a file with two ids a line, and perhaps the kind of the bond after them, from 1',
    },
    scaling: {
      type: 'list',
      of: { type: 'number', min: 0 },
      length: 3,
      default: [0, 1, 1],
      doc: 'what pair potentials count one, two and three bonds apart',
    },
  },
  box: 'kept',
  requires: [gridKey],
  validate({ slots, fail }) {
    if ((slots.bonds === undefined) === (slots.file === undefined))
      fail('', 'MISSING_VALUE', 'bond_particles needs either bonds or file');
  },
  execute: async (context) =>
    bind(context, await onWholeGrid(context.state, async (grid) => new Set(grid.values('id')))),
  save: () => null,
  restore: (context) => {
    // Checkpoints hold bonds as they were then; those of earlier versions do not.
    if (!bondsOf(context.state.get(gridKey))) bind(context);
  },
});

interface Context {
  readonly slots: {
    readonly bonds?: readonly (readonly number[])[] | undefined;
    readonly file?: string | undefined;
    readonly scaling: readonly number[];
  };
  readonly state: SimulationState;
}

function bind({ slots, state }: Context, ids?: ReadonlySet<number>): void {
  const bonds = slots.file
    ? readBonds(slots.file)
    : slots.bonds!.map(([a, b]) => ({ ids: [a!, b!] as const }));
  state.renewCalls();
  const scaling = slots.scaling as unknown as BondedScaling;
  bondParticles(state.get(gridKey), bonds, scaling, ids);
}
