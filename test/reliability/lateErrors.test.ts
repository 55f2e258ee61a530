import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const built = (name: string) =>
  fileURLToPath(new URL(`../../packages/${name}/dist/index.js`, import.meta.url));

/** It writes outside of its array, and does not wait to learn of it. */
const operator = `
  import { defineOperator } from '${built('core')}';
  import { contextOf, gridKey } from '${built('operators')}';
  import { blockFunctor, blockParallelFor, createArray } from '${built('patterns')}';
  const wild = blockFunctor({ name: 'wild', arrays: { v: 'real' } }, (b, a) => {
    for (let k = b.lane; k < 1; k += b.size) a.v[b.index + 100] = 1;
  });
  export const wildWrites = defineOperator({
    name: 'wild_writes', doc: 'Writes outside of its array.', slots: {}, requires: [gridKey],
    execute({ state }) {
      const ctx = contextOf(state);
      const arrays = { v: createArray(ctx, 'real', 4) };
      blockParallelFor(4, wild, ctx, { arrays, asynchronous: true });
    } });`;

it.each(['cpu', 'webgpu'])(
  'an error that nobody waits for names operator, line and functor on %s',
  async (backend) => {
    const yaml = meltYaml({
      global: '{ dt: 0.005, end_iteration: 2, thermo_frequency: 1 }',
      dump_data: '\n  - wild_writes',
    });
    work.write({ 'own.mjs': operator, 'run.yaml': yaml });
    if (backend !== 'cpu') work.limitSoftwareGpu();
    const argv = ['run', 'run.yaml', '--import', 'own.mjs', '--backend', backend];
    const env = { ...process.env, CORPUSCLE_SOFTWARE_GPU: '1' };
    const { err, code } = await startCli([...argv, '--output', backend], { cwd: work.root, env })
      .ended;
    expect(err).toMatch(
      /run\.yaml:\d+:5: .*functor 'wild' wrote v\[10\d\].*\(\S*own\.mjs:5:\d+\)\n +\d+ \| +- wild_writes\n/,
    );
    expect(code).toBe(1);
  },
);
