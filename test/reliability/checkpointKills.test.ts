import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const KILLS = Number(process.env.CORPUSCLE_KILLS ?? runs(2, 8));
const work = new Workplace();
afterAll(() => work.remove());

const text = meltYaml({
  configuration: '{ units: lj, seed: 87287, deterministic: true }',
  global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${6 * KILLS}, thermo_frequency: 1 }`,
  setup_system: `
  - lattice: { structure: fcc, density: 0.8442, repeat: [16, 16, 16], types: [A] }
  - init_temperature: { temperature: 1.44 }`,
  dump_data: '\n  - checkpoint: { frequency: 2 }',
});

it(
  `a run that is killed ${KILLS} times while it writes a checkpoint goes on to the same bytes`,
  async () => {
    work.write({ 'in.yaml': text });
    const run = (folder: string, ...more: string[]) =>
      startCli(['run', 'in.yaml', '--backend', 'cpu', '--output', folder, ...more], {
        cwd: work.root,
      });
    const killed = work.path('killed');
    mkdirSync(killed);
    let torn = 0;
    for (let k = 0; k < KILLS; k++) {
      const running = run('killed', '--restart');
      // The one after that of a run that goes on: each run comes farther.
      let left = 2;
      const names = new Set(readdirSync(killed));
      const watcher = watch(killed, (_, name) => {
        if (!name?.endsWith('.partial') || !name.includes('.ckpt.') || names.has(name)) return;
        names.add(name);
        if (--left === 0) running.child.kill('SIGKILL');
      });
      const { code, err } = await running.ended;
      watcher.close();
      expect(code, err).toBeNull();
      if (readdirSync(killed).some((name) => name.endsWith('.partial'))) torn++;
    }
    // Writes may end before the signal arrives: of many some do not.
    expect(torn).toBeGreaterThanOrEqual(runs(0, 1));
    for (const [folder, ...more] of [['killed', '--restart'], ['whole']] as const)
      expect(await run(folder, ...more).ended).toMatchObject({ code: 0 });
    const table = (folder: string) => readFileSync(work.path(`${folder}/thermo.csv`), 'utf8');
    expect(table('killed')).toBe(table('whole'));
    const checkpoints = (folder: string) =>
      readdirSync(work.path(folder)).filter((name) => name.includes('.ckpt'));
    expect(checkpoints('killed').sort()).toEqual(checkpoints('whole').sort());
  },
  60_000 + 30_000 * KILLS,
);
