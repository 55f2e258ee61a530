// Runs LAMMPS in a temporary folder, for the scripts that write reference files.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** xhi yhi zhi xy xz yz: cell vectors are (xhi 0 0), (xy yhi 0), (xz yz zhi). */
export type Box = readonly [number, number, number, number, number, number];

export interface Configuration {
  readonly box: Box;
  readonly types: readonly number[];
  readonly positions: readonly number[];
  /** With `atom_style charge`. */
  readonly charges?: readonly number[];
  /** Ids of bonded particles, from 1. */
  readonly bonds?: readonly (readonly [number, number])[];
  readonly velocities?: readonly number[];
}

export interface Evaluation {
  readonly energy: number;
  /** Of the forces alone: xx yy zz xy xz yz. */
  readonly pressure: readonly number[];
  readonly forces: readonly number[];
}

/** A crystal of `repeat` cubes with the given basis, in a box that may be tilted. */
export function crystal(
  a: number,
  basis: readonly (readonly [number, number, number])[],
  repeat: number,
  tilt: readonly [number, number, number],
  typeOf: (site: number) => number = () => 0,
): Configuration {
  const [xy, xz, yz] = tilt;
  const positions: number[] = [];
  const types: number[] = [];
  for (let x = 0; x < repeat; x++)
    for (let y = 0; y < repeat; y++)
      for (let z = 0; z < repeat; z++)
        basis.forEach(([p, q, r], k) => {
          const [s, t, u] = [(x + p) / repeat, (y + q) / repeat, (z + r) / repeat];
          const length = a * repeat;
          positions.push(length * s + xy * t + xz * u, length * t + yz * u, length * u);
          types.push(typeOf(k));
        });
  const length = a * repeat;
  return { box: [length, length, length, xy, xz, yz], types, positions };
}

export const disturbed = (c: Configuration, by: number): Configuration => ({
  ...c,
  positions: c.positions.map((x, k) => x + by * Math.sin(12.9898 * (k + 1) ** 2)),
});

/** LAMMPS in units lj, where nothing is converted. */
export class LammpsRunner {
  readonly folder = mkdtempSync(join(tmpdir(), 'corpuscle-lammps-'));
  constructor(
    readonly lmp: string,
    readonly setup: readonly string[] = ['atom_style atomic'],
  ) {}

  write(name: string, text: string): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** What is left after a run at a high temperature. */
  melted(c: Configuration, commands: readonly string[], temperature: number, steps: number): Configuration {
    this.#run(c, [
      ...commands,
      `velocity all create ${temperature} 4711`,
      'fix 1 all nve',
      `run ${steps}`,
      'write_dump all custom melted.dump id xu yu zu modify sort id format float %.17g',
    ]);
    return { ...c, positions: this.#dump('melted.dump') };
  }

  evaluate(c: Configuration, commands: readonly string[]): Evaluation {
    this.#run(c, [
      ...commands,
      'compute p all pressure NULL virial',
      'thermo_style custom step pe c_p[1]',
      'thermo_modify norm no',
      'run 0',
      'print "$(pe:%.17g) $(c_p[1]:%.17g) $(c_p[2]:%.17g) $(c_p[3]:%.17g) $(c_p[4]:%.17g) $(c_p[5]:%.17g) $(c_p[6]:%.17g)" file thermo.txt screen no',
      'write_dump all custom forces.dump id fx fy fz modify sort id format float %.17g',
    ]);
    const text = readFileSync(join(this.folder, 'thermo.txt'), 'utf8');
    const [energy, ...pressure] = text.trim().split(' ').map(Number);
    return { energy: energy!, pressure, forces: this.#dump('forces.dump') };
  }

  /** Stress of each particle times its volume (xx yy zz xy xz yz), and the heat flux times the volume. */
  stresses(c: Configuration, commands: readonly string[]): { stress: number[]; heat: number[] } {
    this.#run(c, [
      ...commands,
      'compute ke all ke/atom',
      'compute pe all pe/atom',
      'compute whole all stress/atom NULL',
      'compute virial all stress/atom NULL virial',
      'compute heat all heat/flux ke pe virial',
      'thermo_style custom step pe c_heat[1]',
      'dump 1 all custom 1 stress.dump id c_whole[*]',
      'dump_modify 1 sort id format float %.15g',
      'run 0',
      'print "$(c_heat[1]:%.17g) $(c_heat[2]:%.17g) $(c_heat[3]:%.17g)" file heat.txt screen no',
    ]);
    const heat = readFileSync(join(this.folder, 'heat.txt'), 'utf8').trim().split(' ').map(Number);
    return { stress: this.#dump('stress.dump'), heat };
  }

  close(): void {
    rmSync(this.folder, { recursive: true });
  }

  #run(c: Configuration, commands: readonly string[]): void {
    this.write('particles.data', dataText(c));
    const lines = [
      'units lj',
      ...this.setup,
      'atom_modify sort 0 0',
      'box tilt large',
      'read_data particles.data',
      'mass * 1',
      'neighbor 0.3 bin',
      'neigh_modify every 1 delay 0 check yes',
      ...commands,
    ];
    const file = this.write('in.run', `${lines.join('\n')}\n`);
    execFileSync(this.lmp, ['-in', file, '-log', 'none', '-screen', 'none'], { cwd: this.folder });
  }

  /** The numbers of a dump of one frame, sorted by id. */
  #dump(name: string): number[] {
    const lines = readFileSync(join(this.folder, name), 'utf8').trim().split('\n').slice(9);
    return lines.flatMap((line) => line.split(' ').slice(1).map(Number));
  }
}

function dataText({ box, types, positions, charges, bonds, velocities }: Configuration): string {
  const [x, y, z, xy, xz, yz] = box;
  const kinds = Math.max(...types) + 1;
  const atoms = types.map((type, k) => {
    const at = positions.slice(3 * k, 3 * k + 3).join(' ');
    if (charges) return `${k + 1} ${type + 1} ${charges[k]} ${at}`;
    return bonds ? `${k + 1} 1 ${type + 1} ${at}` : `${k + 1} ${type + 1} ${at}`;
  });
  return [
    'made by a script\n',
    `${types.length} atoms`,
    `${kinds} atom types`,
    ...(bonds ? [`${bonds.length} bonds`, '1 bond types'] : []),
    `0 ${x} xlo xhi\n0 ${y} ylo yhi\n0 ${z} zlo zhi`,
    box.slice(3).some((t) => t !== 0) ? `${xy} ${xz} ${yz} xy xz yz` : '',
    `\nAtoms # ${charges ? 'charge' : bonds ? 'bond' : 'atomic'}\n`,
    ...atoms,
    ...(velocities
      ? ['\nVelocities\n', ...types.map((_, k) => `${k + 1} ${velocities.slice(3 * k, 3 * k + 3).join(' ')}`)]
      : []),
    ...(bonds ? ['\nBonds\n', ...bonds.map(([a, b], k) => `${k + 1} 1 ${a} ${b}`)] : []),
    '',
  ].join('\n');
}
