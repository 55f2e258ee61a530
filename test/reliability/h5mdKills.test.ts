import { afterAll, expect } from 'vitest';
import { h5mdOnDisk, type StepsOf } from '../soak/h5mdOnDisk.js';
import { soak } from '../soak/soak.js';
import { askPython, pythonWith } from '../support/oracles.js';
import { Workplace } from '../support/runCli.js';
import { itLong, runs } from '../support/runs.js';

const work = new Workplace();
afterAll(() => work.remove());

const KILLS = Number(process.env.CORPUSCLE_KILLS ?? runs(2, 4));
const python = pythonWith('h5py');

/** Steps of the frames, as h5py finds them beside a writer; positions of all can be read. */
const script = `import sys, json, h5py
f = h5py.File(sys.argv[1], 'r', swmr=True)
p = f['particles/trajectory/position']
print('@json' + json.dumps([int(s) for s, x in zip(p['step'][:], p['value'][:]) if x.any()]))`;
const stepsOf: StepsOf | undefined = python
  ? async (file) => askPython<number[]>(python, script, file)
  : undefined;

itLong(
  `after each of ${KILLS} SIGKILLs an H5MD file has every frame older than a second, and goes on`,
  async () => {
    let survived = 0;
    const failures = await soak(h5mdOnDisk(work, stepsOf), {
      kills: KILLS,
      onSurvived: (count) => {
        survived = count;
      },
    });
    expect(failures).toEqual([]);
    expect(survived).toBe(KILLS);
  },
  60_000 + 30_000 * KILLS,
);
