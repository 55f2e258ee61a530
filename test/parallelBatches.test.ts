import { readdirSync, readFileSync } from 'node:fs';
import { defineOperator } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import {
  cellFunctor,
  computeCellParticles,
  createExecutionContext,
  explain,
  newestOnHost,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';
import { afterAll, describe, expect, it } from 'vitest';
import { checkpointed, RunFolders } from './support/restarts.js';
import { runCli, Workplace } from './support/runCli.js';
import { isLong, itOnce } from './support/runs.js';
import { runText } from './support/runText.js';

const work = new Workplace();
const folders = new RunFolders();
afterAll(() => {
  work.remove();
  folders.remove();
});

const melt = `
configuration: { units: lj, seed: 7, deterministic: true }
global: { dt: 0.004, rcut_inc: 0.3, end_iteration: 12, thermo_frequency: 6 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [5, 5, 5], types: [A] }
  - init_temperature: { temperature: 1.44 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }
`;

/** Beside each other, in order, in loops and conditions, with what they make and say. */
const few = `
      - radial_distribution: { file: g.csv, bins: 20, frequency: 3 }
      - [compute: { twice: 2 * step }, message: { text: 'twice {twice}', frequency: 6 }]
      - message: { text: 'step {step}: {twice}', frequency: 6 }
      - set: { fields: { charge: 2.5 } }
      - { condition: step % 3 == 0, body: [grid_projection: { fields: [charge], file: map.vti, cell_size: 2, frequency: 6 }] }
      - { loop: 2, body: [profile: { file: profile.csv, bins: 5, every: 4 }] }`;
const many = `${few}
      - centro_symmetry: { cutoff: 1.6, file: cs.csv, every: 5 }
      - [clusters: { cutoff: 1.1, file: cl.csv, every: 4 }, neighbor_stats: { frequency: 6 }]
      - { condition: step % 3 == 0, body: [common_neighbors: { cutoff: 1.4, file: cna.csv }] }
      - { loop: 2, body: [steinhardt: { cutoff: 1.5, file: q.csv, frequency: 6 }] }
      - mean_square_displacement: { file: msd.csv, every: 2, origins: 2, lags: 4 }
      - grid_projection: { fields: [centro_symmetry], file: centro.vti, cell_size: 2, frequency: 6 }`;
const inRun = (batch: string) => `dump_data:\n  - ${batch}\nsimulation: molecular_dynamics\n`;
/** Without steps, which take a device without hardware long to compile. */
const alone = (batch: string) => `simulation:\n  - setup_system\n  - ${batch}\n`;

describe.each(['cpu', 'webgpu'] as const)('branches of a parallel batch on %s', (backend) => {
  it('have the results and messages of the same batch without parallel, with the same bits', async () => {
    const whole = backend === 'cpu' || isLong;
    const written = whole ? inRun : alone;
    const body = whole ? many : few;
    const results = [];
    for (const parallel of [false, true]) {
      const output = work.path(`${backend}-${parallel}`);
      work.write({
        'in.yaml': melt + written(`parallel: ${parallel}\n    body:${body}`),
      });
      const argv = ['run', work.path('in.yaml'), '--output', output, '--backend', backend];
      const run = await runCli([...argv, '--no-progress']);
      expect(run.code, run.err).toBe(0);
      const files = readdirSync(output).filter((name) => /csv|vti|pvd/.test(name));
      const texts = files.map((name) => [name, readFileSync(`${output}/${name}`, 'utf8')]);
      const said = run.out
        .split('\n')
        .filter((line) => /^(step \d|twice|neighbors|mean_square)/.test(line));
      results.push({ texts, said });
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[0]!.texts.length).toBeGreaterThan(2);
    expect(results[0]!.said.length).toBeGreaterThan(1);
  });

  itOnce(
    'of own operators that write other fields overlap, each in a lane of its own',
    async () => {
      const field = (name: 'mass' | 'charge') => {
        const scale = cellFunctor(
          { name: `scale_${name}`, fields: { [name]: 'real' } as { mass: 'real' } },
          new Function('i', `i.${name} = 2 * i.${name} + 1;`) as (i: { mass: number }) => void,
        );
        const sum = reduceFunctor(
          {
            name: `sum_${name}`,
            result: { all: 'sum' },
            read: { [name]: 'real' } as { mass: 'real' },
          },
          new Function('acc', 'i', `acc.all += i.${name};`) as () => void,
        );
        return { scale, sum };
      };
      const log: string[] = [];
      const reasons: string[] = [];
      const operator = (name: 'mass' | 'charge') => {
        const { scale, sum } = field(name);
        return defineOperator({
          ...{ name: `grow_${name}`, doc: 'Changes a field.', slots: {} },
          ...{ requires: [gridKey], reads: [name], writes: [name] },
          async execute({ state }) {
            const [grid, ctx] = [state.get(gridKey), contextOf(state)];
            log.push(`${name}(`);
            for (let k = 0; k < 3; k++)
              await computeCellParticles(grid, scale, ctx, { asynchronous: true });
            const { all } = await reduceCellParticles(grid, sum, { all: 0 }, ctx);
            await newestOnHost(grid, ctx, [name]);
            log.push(`${name})`);
            reasons.push(explain(scale, ctx).reason);
            state.say(`${name} ${all}`);
          },
        });
      };
      const operators = createRegistry().add(operator('mass'), operator('charge'));
      const text = (parallel: boolean) => `${melt}
simulation:
  - setup_system
  - { parallel: ${parallel}, loop: 2, body: [grow_mass, grow_charge] }`;
      const run = async (parallel: boolean) => {
        log.length = 0;
        await using context = await createExecutionContext({ backend, threads: 2 });
        await context.ready();
        const { values } = await runText(text(parallel), context, { operators });
        return { order: [...log], mass: values('mass'), charge: values('charge') };
      };
      const ordered = await run(false);
      const together = await run(true);
      const one = ['mass(', 'mass)', 'charge(', 'charge)'];
      expect(ordered.order).toEqual([...one, ...one]);
      expect(together.order.slice(0, 2)).toEqual(['mass(', 'charge(']);
      expect(together.order.slice(4, 6)).toEqual(['mass(', 'charge(']);
      expect(together.mass).toEqual(ordered.mass);
      expect(together.charge).toEqual(ordered.charge);
      expect(reasons[0]).not.toMatch(/lane/);
      expect(reasons.at(-1)).toMatch(/in the lane of its branch/);
    },
  );
});

itOnce('a run goes on from a checkpoint inside a parallel batch', async () => {
  const body = [
    'radial_distribution: { file: g.csv, bins: 20, frequency: 3 }',
    'clusters: { cutoff: 1.1, file: cl.csv, every: 2 }',
    'checkpoint: { frequency: 7, keep: 99 }',
    'centro_symmetry: { cutoff: 1.6, file: cs.csv, every: 7 }',
    'velocity_autocorrelation: { file: vacf.csv, every: 2, origins: 2, lags: 4 }',
  ];
  const dump = `\n  - { parallel: true, body: [${body.join(', ')}] }`;
  const yaml = checkpointed(20, 7, { dump_data: dump });
  const files = ['g.csv', 'cl.csv', 'cs.csv', 'vacf.csv'];
  await folders.compare('parallel', yaml, {}, { from: [7], files });
});
