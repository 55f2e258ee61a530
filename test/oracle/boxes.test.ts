import { Domain, defineOperator } from '@corpuscle/core';
import { mtkKey, thermoKey } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoxResult, boxCase, runBox } from '../support/boxCases.js';
import { Workplace } from '../support/runCli.js';
import { itOnce, runs } from '../support/runs.js';

const work = new Workplace();
afterAll(() => work.remove());

const deform = (slots: string): string => `+numerical_scheme:\n  - deform: ${slots}\n`;

/** Velocities are relative to the flow. */
const flow = (slots: string): string => `after_drift: [{ deform: { ${slots}, sllod: true } }]\n`;

const noseHooverChain = 'numerical_scheme: { nose_hoover: { temperature: 1.2, tau: 0.2 } }\n';

const noseHoover = (slots: string): string => {
  return `numerical_scheme: { nose_hoover: { pressure: 2, tau_pressure: 0.5, ${slots} } }\n`;
};

/** A barostat, and a box that deforms where it leaves it alone. */
const beside = (barostat: string, slots: string): string =>
  `numerical_scheme: [{ ${barostat} }, { deform: { ${slots} } }]\n`;

/** Open along z, and wider there. */
const slab = `+setup_system:
  - change_box: { lengths: [6.718384765530029, 6.718384765530029, 12.718384765530029], periodic: [true, true, false], remap: none }
`;

/** What a file of ours says for the commands of a case. */
const files: Readonly<Record<string, string>> = {
  deform_rate: deform('{ rate: { xx: 0.1, zz: -0.05 } }'),
  deform_true: deform('{ true_rate: { yy: 0.2 } }'),
  deform_shear: deform('{ rate: { xz: 0.9 }, flip: false }'),
  deform_wiggle: deform(
    '{ wiggle: { amplitude: { xx: "0.2 / 6.718384765530029" }, period: 0.3 } }',
  ),
  deform_flip: deform('{ rate: { xy: 1.5 } }'),
  deform_velocities: deform(
    '{ rate: { xx: 0.1 }, wiggle: { amplitude: { zz: "0.2 / 6.718384765530029" }, period: 0.3 }, remap: velocities }',
  ),
  deform_velocities_shear: deform('{ rate: { xz: 0.9, yz: 0.4 }, remap: velocities, flip: false }'),
  deform_velocities_flip: deform('{ rate: { xy: 1.5 }, remap: velocities }'),
  deform_velocities_nvt: beside(
    'nose_hoover: { temperature: 1.2, tau: 0.2 }',
    'rate: { xx: 0.4 }, wiggle: { amplitude: { zz: "0.2 / 6.718384765530029" }, period: 0.3 }, remap: velocities',
  ),
  deform_velocities_berendsen: beside(
    'berendsen: { temperature: [1.2, 1.6], tau: 0.2 }',
    'tilts: stay, rate: { xz: 0.9, yy: 0.4 }, remap: velocities, flip: false',
  ),
  deform_stay: deform(
    '{ rate: { xx: 0.1 }, wiggle: { amplitude: { zz: "0.2 / 6.718384765530029" }, period: 0.3 }, remap: none }',
  ),
  deform_stay_shear: deform('{ rate: { xz: 0.9, yz: 0.4 }, remap: none, flip: false }'),
  nph_aniso: noseHoover('coupling: aniso'),
  nph_triclinic: noseHoover('coupling: triclinic'),
  npt_z: noseHoover('coupling: z, temperature: 1.2, tau: 0.2'),
  nph_x: noseHoover('coupling: x'),
  berendsen_y:
    'numerical_scheme: { berendsen: { pressure: 3, tau_pressure: 0.5, compressibility: 0.05, coupling: y } }\n',
  berendsen_yz:
    'numerical_scheme: { berendsen: { pressure: 3, tau_pressure: 0.5, compressibility: 0.05, coupling: yz } }\n',
  berendsen:
    'numerical_scheme: { berendsen: { pressure: 3, tau_pressure: 0.5, compressibility: 0.05 } }\n',
  berendsen_both:
    'numerical_scheme: { berendsen: { temperature: 1.2, tau: 0.5, pressure: [3, 5], tau_pressure: 0.5, compressibility: 0.05 } }\n',
  npt_ramp:
    'numerical_scheme: { nose_hoover: { temperature: 1.2, tau: 0.2, pressure: [2, 4], tau_pressure: 0.5 } }\n',
  npt_heated:
    'numerical_scheme: { nose_hoover: { temperature: [1.2, 1.6], tau: 0.2, pressure: [2, 4], tau_pressure: 0.5 } }\n',
  npt_heated_triclinic: noseHoover('coupling: triclinic, temperature: [1.6, 1.0], tau: 0.2'),
  nph_iso: noseHoover('coupling: iso'),
  npt_iso: noseHoover('coupling: iso, temperature: 1.2, tau: 0.2'),
  npt_aniso: noseHoover('coupling: aniso, temperature: 1.2, tau: 0.2'),
  npt_triclinic: noseHoover('coupling: triclinic, temperature: 1.2, tau: 0.2'),
  npt_two_lengths: noseHoover('coupling: aniso, axes: yz, temperature: 1.2, tau: 0.2'),
  nph_iso_leaning: noseHoover('coupling: iso'),
  nph_aniso_leaning: noseHoover('coupling: aniso'),
  npt_aniso_leaning:
    'numerical_scheme: { nose_hoover: { pressure: [2, 4], tau_pressure: 0.5, coupling: aniso, temperature: 1.2, tau: 0.2 } }\n',
  nph_y_leaning: noseHoover('coupling: y'),
  npt_two_lengths_leaning: noseHoover('coupling: aniso, axes: xz, temperature: 1.2, tau: 0.2'),
  npt_pressures_leaning:
    'numerical_scheme: { nose_hoover: { pressure: [[1, 2], 3, [6, 4]], tau_pressure: 0.5, coupling: aniso, temperature: 1.2, tau: 0.2 } }\n',
  nph_two_pressures_leaning:
    'numerical_scheme: { nose_hoover: { pressure: [1, 0, 6], tau_pressure: 0.5, coupling: aniso, axes: xz } }\n',
  npt_beside_deform_leaning: beside(
    'nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 }',
    'rate: { zz: 0.3 }, tilts: stay',
  ),
  npt_pressures:
    'numerical_scheme: { nose_hoover: { pressure: [[1, 2], 3, [6, 4]], tau_pressure: 0.5, coupling: aniso, temperature: 1.2, tau: 0.2 } }\n',
  nph_two_pressures:
    'numerical_scheme: { nose_hoover: { pressure: [1, 0, 6], tau_pressure: 0.5, coupling: aniso, axes: xz } }\n',
  berendsen_pressures:
    'numerical_scheme: { berendsen: { pressure: [1, [3, 4], 6], tau_pressure: 0.5, compressibility: 0.05, coupling: aniso } }\n',
  npt_beside_deform: beside(
    'nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 }',
    'rate: { zz: 0.3 }',
  ),
  nph_beside_shear: beside(
    'nose_hoover: { pressure: 2, tau_pressure: 0.5 }',
    'rate: { xy: 1.1 }, tilts: stay',
  ),
  npt_beside_deform_velocities: beside(
    'nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 }',
    'rate: { zz: 0.3 }, remap: velocities',
  ),
  nph_beside_shear_velocities: beside(
    'nose_hoover: { pressure: 2, tau_pressure: 0.5 }',
    'rate: { xy: 1.1 }, tilts: stay, remap: velocities, flip: false',
  ),
  npt_beside_deform_none: beside(
    'nose_hoover: { pressure: 2, tau_pressure: 0.5, coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2 }',
    'rate: { zz: 0.3 }, remap: none',
  ),
  npt_pressures_beside_deform: beside(
    'nose_hoover: { pressure: [0, 1, 6], tau_pressure: 0.5, coupling: aniso, axes: yz, temperature: 1.2, tau: 0.2 }',
    'true_rate: { xx: -0.3 }',
  ),
  berendsen_beside_deform: beside(
    'berendsen: { pressure: 3, tau_pressure: 0.5, compressibility: 0.05, axes: xy }',
    'wiggle: { amplitude: { zz: "0.2 / 6.718384765530029" }, period: 0.3 }',
  ),
  npt_slab: slab + noseHoover('coupling: aniso, axes: xy, temperature: 1.2, tau: 0.2'),
  berendsen_slab: `${slab}numerical_scheme: { berendsen: { pressure: 3, tau_pressure: 0.5, compressibility: 0.05, axes: xy } }\n`,
  npt_chains: noseHoover(
    'coupling: aniso, temperature: 1.2, tau: 0.2, chain: 2, chain_pressure: 4, parts: 3, parts_pressure: 2',
  ),
  npt_chains_triclinic: noseHoover(
    'coupling: triclinic, temperature: [1.2, 1.6], tau: 0.2, chain: 4, chain_pressure: 1, parts: 2, parts_pressure: 3',
  ),
  nph_chain: noseHoover('chain_pressure: 1, parts_pressure: 3'),
  nvt_berendsen: `numerical_scheme:
  - nose_hoover: { temperature: 1.2, tau: 0.2 }
  - berendsen: { pressure: 3, tau_pressure: 0.5, compressibility: 0.05 }
`,
  deform_leaning: deform('{ tilts: stay, rate: { xx: 0.3, yy: -0.2 }, true_rate: { zz: 0.1 } }'),
  deform_leaning_shear: deform('{ tilts: stay, rate: { xy: 2.5, yy: 0.1 } }'),
  deform_leaning_velocities: deform(
    '{ tilts: stay, rate: { xz: 0.9, xx: 0.1 }, remap: velocities, flip: false }',
  ),
  sllod: flow('rate: { xy: 0.5 }, flip: false'),
  sllod_hot: `${noseHooverChain}${flow('rate: { xy: 0.5 }, flip: false')}`,
  sllod_flips: flow('rate: { xy: 1.5 }'),
  deform_velocities_flips: deform('{ rate: { xy: 1.4, xz: 1.3 }, remap: velocities }'),
  deform_leaning_follow: deform('{ rate: { xy: 0.8 }, flip: false }'),
};

/** What is left of the vectors of a lattice (lx ly lz xy xz yz) beside whole multiples of those of a box: LAMMPS may have others of the same. */
function apart(expected: readonly number[], box: Domain): number {
  const [lx, ly, lz, xy, xz, yz] = expected as [number, number, number, number, number, number];
  const vectors = [
    [lx, 0, 0],
    [xy, ly, 0],
    [xz, yz, lz],
  ] as const;
  return Math.max(...vectors.map(([x, y, z]) => Math.hypot(...box.minimumImage(x, y, z))));
}

/** Largest differences to the reference: of energies and pressure (relative), box, positions and velocities. */
function differences(name: string, result: BoxResult) {
  const { rows, positions, velocities } = boxCase(name);
  const expected = rows.at(-1)!;
  const far = (from: number, to: number, scale: (k: number) => number) =>
    Math.max(
      ...expected.slice(from, to).map((x, k) => Math.abs(x - result.row[from + k]!) / scale(x)),
    );
  const box = Domain.triclinic(result.lattice);
  const leftOver = apart(expected.slice(7), box);
  let moved = 0;
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = [0, 1, 2].map((axis) => positions[k + axis]! - result.positions[k + axis]!);
    moved = Math.max(moved, Math.hypot(...box.minimumImage(x!, y!, z!)));
  }
  const sped = Math.max(...velocities.map((v, k) => Math.abs(v - result.velocities[k]!)));
  const energies = far(1, 3, Math.abs);
  return {
    energies,
    pressure: far(3, 4, Math.abs),
    origin: far(4, 7, () => 1),
    box: leftOver,
    moved,
    sped,
  };
}

describe('boxes that change agree with LAMMPS after 100 steps', () => {
  let cpu: ExecutionContext;
  beforeAll(async () => {
    cpu = await createExecutionContext({ backend: 'cpu', threads: 1, deterministic: true });
  });
  afterAll(() => cpu.close());

  itOnce.each(Object.keys(files))('%s', async (name) => {
    const result = await runBox(work, cpu, boxCase(name), files[name]!);
    const found = differences(name, result);
    for (const [what, difference] of Object.entries(found))
      expect(difference, what).toBeLessThan(1e-8);
  });

  const conserved: readonly (readonly [string, 'cube' | 'prism'])[] = [
    ['triclinic', 'prism'],
    ['xy, temperature: 1.2, tau: 0.3', 'cube'],
    ['iso, temperature: 1.2, tau: 0.3, every: 3', 'cube'],
    ['iso, temperature: 1.2, tau: 0.3', 'cube'],
    ['xz', 'cube'],
    ['triclinic, every: 3', 'prism'],
  ];
  it.each(runs(conserved.slice(0, 3), conserved.slice(3)))(
    'and what MTK conserves is constant, to second order in dt: %s',
    async (slots, start) => {
      const spread = async (dt: number): Promise<number> => {
        const energies: number[] = [];
        const tell = defineOperator({
          name: 'tell',
          doc: 'Notes the conserved energy.',
          slots: {},
          requires: [mtkKey, thermoKey],
          async execute({ state }) {
            if (state.step % every !== 0) return; // the bath is known at the ends of long steps
            const bath = await state.get(mtkKey).bathEnergy();
            energies.push(state.get(thermoKey).total_energy + bath);
          },
        });
        const every = slots.includes('every') ? 3 : 1;
        const scheme = noseHoover(`coupling: ${slots}`).replace('{ nose', '[{ nose').trim();
        const parts = `${scheme}, thermo: { frequency: 1, file: all.csv }, tell]`;
        const steps = Math.round(0.8 / dt);
        await runBox(work, cpu, { start, steps }, parts, { dt, shift: 'force', operators: [tell] });
        return Math.max(...energies) - Math.min(...energies);
      };
      const [long, short] = [await spread(0.004), await spread(0.002)];
      expect(long).toBeLessThan(slots.includes('every') ? 3 : 1);
      expect(long / short).toBeGreaterThan(3);
      expect(long / short).toBeLessThan(5);
    },
  );
});
