import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lattice } from '@corpuscle/operators';
import { type MeltCase, system } from '../melt/system.js';
import type { PeerOrReason, Rate } from './Peer.js';

// GROMACS has no reduced units: sigma 0.34 nm, epsilon 1 kJ/mol and mass 40 u make tau = 0.34 √40 ps.
const sigma = 0.34;
const mass = 40;
const tau = sigma * Math.sqrt(mass);
const boltzmann = 0.00831446261815324; // kJ/mol/K

/**
 * GROMACS (mixed precision, its own SIMD) on OpenMP threads with the same cutoff and the same list radius, lists every
 * 20 steps; when `gmx` is on the PATH.
 */
export function gromacs(threads: number): PeerOrReason {
  let version: string;
  try {
    const text = execFileSync('gmx', ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    version = /GROMACS version:\s*(\S+)/.exec(text)?.[1] ?? 'unknown version';
  } catch {
    return { missing: 'gmx is not on the PATH: GROMACS left out' };
  }
  const run = (melt: MeltCase): Rate => {
    const folder = mkdtempSync(join(tmpdir(), 'corpuscle-bench-'));
    const gmx = (...args: string[]) =>
      execFileSync('gmx', ['-quiet', ...args], { cwd: folder, stdio: 'pipe' });
    try {
      for (const [name, text] of Object.entries(inputs(melt)))
        writeFileSync(join(folder, name), text);
      gmx(
        'grompp',
        '-f',
        'md.mdp',
        '-c',
        'conf.gro',
        '-p',
        'topol.top',
        '-o',
        'md.tpr',
        '-maxwarn',
        '9',
      );
      gmx(
        'mdrun',
        '-s',
        'md.tpr',
        '-g',
        'md.log',
        '-noconfout',
        '-ntmpi',
        '1',
        '-ntomp',
        String(threads),
        '-resetstep',
        String(melt.warmUp),
      );
      const log = readFileSync(join(folder, 'md.log'), 'utf8');
      const perDay = Number(/^Performance:\s+([\d.]+)/m.exec(log)?.[1]); // ns/day
      return { wall: (1000 * perDay) / (system.dt * tau) / 86400, processor: Number.NaN };
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  return { peer: { name: `GROMACS ${version} (mixed)`, run } };
}

function inputs({ repeat, warmUp, steps }: MeltCase): Record<string, string> {
  const { density, temperature, rcut, skin, dt, seed } = system;
  const crystal = lattice({ structure: 'fcc', density, repeat: [repeat, repeat, repeat] });
  const count = 4 * repeat ** 3;
  const edge = repeat * Math.cbrt(4 / density) * sigma;
  const { position } = crystal;
  const at = (k: number) => (position[k]! * sigma).toFixed(4).padStart(9);
  const rows: string[] = [];
  for (let k = 0; k < count; k++) {
    const label = `${String((k % 99999) + 1).padStart(5)}AR      AR${String((k % 99999) + 1).padStart(5)}`;
    rows.push(label + at(3 * k) + at(3 * k + 1) + at(3 * k + 2));
  }
  return {
    'conf.gro': `melt\n${count}\n${rows.join('\n')}\n${`${edge.toFixed(5)} `.repeat(3)}\n`,
    'topol.top': `[ defaults ]
1 2 no 1.0 1.0
[ atomtypes ]
AR 18 ${mass} 0 A ${sigma} 1.0
[ moleculetype ]
AR 1
[ atoms ]
1 AR 1 AR AR 1 0 ${mass}
[ system ]
melt
[ molecules ]
AR ${count}
`,
    'md.mdp': `integrator = md-vv
dt = ${dt * tau}
nsteps = ${warmUp + steps}
cutoff-scheme = Verlet
nstlist = 20
verlet-buffer-tolerance = -1
rlist = ${(rcut + skin) * sigma}
rvdw = ${rcut * sigma}
rcoulomb = ${rcut * sigma}
coulombtype = Cut-off
vdwtype = Cut-off
vdw-modifier = None
tcoupl = no
pcoupl = no
gen-vel = yes
gen-temp = ${temperature / boltzmann}
gen-seed = ${seed}
nstcalcenergy = 100
nstenergy = 0
nstlog = 0
nstxout = 0
`,
  };
}
