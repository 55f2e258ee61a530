import { type MeltCase, system } from '../melt/system.js';
import type { Rate } from './Peer.js';

/** The melt in LAMMPS' words: lists every 20 steps without a check, as bench/in.lj has it. */
export function lammpsInput({ repeat, warmUp, steps }: MeltCase): string {
  const { density, temperature, rcut, skin, seed, dt } = system;
  return `units lj
atom_style atomic
lattice fcc ${density}
region box block 0 ${repeat} 0 ${repeat} 0 ${repeat}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create ${temperature} ${seed} loop geom
pair_style lj/cut ${rcut}
pair_coeff 1 1 1.0 1.0 ${rcut}
neighbor ${skin} bin
neigh_modify delay 0 every 20 check no
timestep ${dt}
fix 1 all nve
run ${warmUp}
run ${steps}
`;
}

/** The rate of the last run in a LAMMPS log. @throws Error with the end of the log when there is none. */
export function lammpsRate(log: string): Rate {
  const last = log.slice(Math.max(0, log.lastIndexOf('Performance:')));
  const rate = Number(/([\d.]+) timesteps\/s/.exec(last)?.[1]);
  if (!(rate > 0)) throw new Error(`LAMMPS did not finish: ${log.slice(-300)}`);
  const use = Number(/([\d.]+)% CPU use/.exec(last)?.[1]); // of one core, mean over ranks
  return { wall: rate, processor: rate / (use / 100) };
}
