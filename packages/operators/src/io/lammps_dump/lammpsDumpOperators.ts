import { frameReaderOperator } from '../frames/frameReaderOperator.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import type { GridField } from '../frames/gridFrame.js';
import { textWriter } from '../frames/textWriter.js';
import { lammpsDump } from './lammpsDump.js';

/** Columns that a run can write: it knows no molecules. */
const COLUMNS = [
  ...['id', 'type', 'element', 'mass', 'q', 'x', 'y', 'z', 'xs', 'ys', 'zs'],
  ...['xu', 'yu', 'zu', 'ix', 'iy', 'iz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz', 'c_pe'],
  ...['c_stress[1]', 'c_stress[2]', 'c_stress[3]', 'c_stress[4]', 'c_stress[5]', 'c_stress[6]'],
] as const;
const DEFAULT = ['id', 'type', 'element', 'x', 'y', 'z', 'vx', 'vy', 'vz'] as const;

export const writeLammpsDumpOperator = frameWriterOperator({
  name: 'write_lammps_dump',
  doc: 'Adds a frame, sorted by id, to a LAMMPS dump in text, compressed where the name ends in .gz; every number reads back to the same f64.',
  slots: {
    columns: {
      type: 'list',
      of: { type: 'enum', values: COLUMNS },
      minLength: 1,
      default: DEFAULT,
      doc: 'columns by their names in LAMMPS, in this order; c_pe is the energy of each particle, c_stress[1] … its stress (particle_stress); xu … are unwrapped, ix … how often a particle has crossed the box',
    },
  },
  fields: ({ columns }) => {
    const needed: readonly (readonly [GridField, RegExp])[] = [
      ['velocity', /^v/],
      ['force', /^f/],
      ['energy', /^c_pe$/],
      ['mass', /^mass$/],
      ['charge', /^q$/],
      ['image', /^(i[xyz]|[xyz]u)$/],
      ['stress', /^c_stress/],
    ];
    return needed.flatMap(([field, name]) =>
      (columns as readonly string[]).some((column) => name.test(column)) ? [field] : [],
    );
  },
  hasProperties: true,
  keepsColumn: lammpsDump.keepsColumn,
  open: (target, { columns }) => textWriter(target, 'lammps_dump', columns as readonly string[]),
});

export const readLammpsDumpOperator = frameReaderOperator(lammpsDump, {
  doc: 'Reads particles and box from a LAMMPS dump in text, also compressed. Types without names of elements are the particle_types in their order.',
});
