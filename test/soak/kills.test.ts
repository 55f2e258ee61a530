import { afterAll, describe, expect, it } from 'vitest';
import { Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';
import { CPU_WAYS, goOn } from './goOn.js';
import { soak } from './soak.js';

// CORPUSCLE_SOAK_CPU and CORPUSCLE_SOAK_WEBGPU say how many kills there are, in all CPU cases together and on WebGPU.
const kills = {
  cpu: Number(process.env.CORPUSCLE_SOAK_CPU ?? runs(1, 10)),
  webgpu: Number(process.env.CORPUSCLE_SOAK_WEBGPU ?? runs(0, 2)),
};
const work = new Workplace();
afterAll(() => work.remove());

describe('runs that are killed at random moments go on to the same bytes', () => {
  const tried = CPU_WAYS.slice(0, kills.cpu);
  it.each(tried)('on %s', { timeout: 36_000_000 }, async (_name, more) => {
    work.clear();
    const options = ['--backend', 'cpu', ...more];
    const story = { work, options, steps: runs(1000, 3000), every: 100 };
    const each = Math.ceil(kills.cpu / tried.length);
    expect(await soak(await goOn(story, 'melt'), { kills: each, seed: Date.now() })).toEqual([]);
  });

  if (kills.webgpu > 0)
    it('on WebGPU', { timeout: 36_000_000 }, async () => {
      work.clear();
      work.limitSoftwareGpu();
      const every = runs(20, 50);
      const story = { work, options: ['--backend', 'webgpu'], steps: 3 * every, every };
      const found = await soak(await goOn(story, 'melt'), {
        kills: kills.webgpu,
        seed: Date.now(),
      });
      expect(found).toEqual([]);
    });
});
