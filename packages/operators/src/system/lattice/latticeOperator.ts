import { Domain, defineOperator, dimensions } from '@corpuscle/core';
import { settledBox } from '../../box/RunBox.js';
import { gridKey } from '../../run/stateKeys.js';
import { checkMemory } from '../memoryNeeds.js';
import { placeParticles } from '../placeParticles.js';
import { type LatticeOptions, lattice, latticeEdges, latticeSize } from './lattice.js';
import { type StructureName, structures } from './structures.js';

export const latticeOperator = defineOperator({
  name: 'lattice',
  doc: 'Fills a periodic box with a perfect crystal; ids count from 0.',
  slots: {
    structure: {
      type: 'enum',
      values: Object.keys(structures),
      required: true,
      doc: 'crystal structure',
    },
    density: {
      type: 'quantity',
      dimension: dimensions.numberDensity,
      above: 0,
      doc: 'particles per volume; this or lattice_constant',
    },
    lattice_constant: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'edge of the cubic cell (hcp: the nearest distance)',
    },
    repeat: {
      type: 'list',
      of: { type: 'integer', min: 1 },
      length: 3,
      required: true,
      doc: 'cells along x, y and z',
    },
    types: {
      type: 'list',
      of: { type: 'particle_type' },
      minLength: 1,
      doc: 'one particle type for all sites, or one for each site of the cell; default the first type',
    },
  },
  provides: [gridKey],
  box({ structure, repeat, density, lattice_constant: constant }) {
    if (!structure || !repeat || (density === undefined) === (constant === undefined)) return null;
    const size = density === undefined ? { latticeConstant: constant! } : { density };
    const [x, y, z] = latticeEdges({
      structure: structure as StructureName,
      repeat: repeat as unknown as LatticeOptions['repeat'],
      ...size,
    });
    return Domain.triclinic([x, 0, 0, 0, y, 0, 0, 0, z]);
  },
  validate({ slots, fail }) {
    if ((slots.density === undefined) === (slots.lattice_constant === undefined))
      fail('', 'INVALID_VALUE', 'lattice needs either density or lattice_constant, one of the two');
    const sites = structures[slots.structure as StructureName]?.basis.length;
    const given = slots.types?.length ?? 1;
    if (sites !== undefined && given !== 1 && given !== sites)
      fail(
        'types',
        'INVALID_VALUE',
        `types has ${given} names: ${slots.structure} has ${sites} sites a cell, give one name or ${sites}`,
      );
    const count = (slots.repeat ?? []).reduce((product, n) => product * n, sites ?? 1);
    if (count > 1e9)
      fail('repeat', 'INVALID_VALUE', `the lattice would have ${count} particles: lower repeat`);
  },
  async execute({ slots, state }) {
    const species = state.simulation.particleTypes.names;
    const options = {
      structure: slots.structure as StructureName,
      density: slots.density,
      latticeConstant: slots.lattice_constant,
      repeat: slots.repeat as unknown as readonly [number, number, number],
      types: slots.types ?? species.slice(0, 1),
      species: species.length > 0 ? species : undefined,
    };
    checkMemory(state, latticeSize(options));
    await settledBox(state);
    placeParticles(state, lattice(options));
  },
});
