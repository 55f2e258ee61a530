import { checkpointFrames } from '../checkpoint/checkpointFrames.js';
import { dcd } from '../dcd/dcd.js';
import { extendedXyz } from '../extended_xyz/extendedXyz.js';
import { gro } from '../gro/gro.js';
import { gsd } from '../gsd/gsd.js';
import { h5md } from '../h5md/h5md.js';
import { lammpsData } from '../lammps_data/lammpsData.js';
import { lammpsDump } from '../lammps_dump/lammpsDump.js';
import { pdb } from '../pdb/pdb.js';
import { poscar } from '../poscar/poscar.js';
import { vtp } from '../vtp/vtp.js';
import { xtc } from '../xtc/xtc.js';
import type { FrameFormat } from './FrameFormat.js';

/** All formats of particles. What reads or writes any format looks here. */
export const frameFormats: readonly FrameFormat[] = [
  extendedXyz,
  lammpsDump,
  lammpsData,
  gsd,
  h5md,
  dcd,
  xtc,
  vtp,
  gro,
  pdb,
  poscar,
  checkpointFrames,
];
