import { afterAll, expect, it } from 'vitest';
import { rowsOnDisk } from '../soak/rowsOnDisk.js';
import { soak } from '../soak/soak.js';
import { Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';

const work = new Workplace();
afterAll(() => work.remove());

/** `test:long` makes 10, `test:soak` 200. */
const TRIES = Number(process.env.CORPUSCLE_KILLS ?? runs(1, 5));

it(
  `after each of ${TRIES} SIGKILLs every row printed more than a second before is on disk, and complete`,
  async () => {
    expect(await soak(rowsOnDisk(work), { kills: TRIES, seed: Date.now() })).toEqual([]);
  },
  60_000 + 10_000 * TRIES,
);
