import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { mpirun } from '../support/mpirun.js';
import { itOnce, runs } from '../support/runs.js';

const program = (name: string): string =>
  fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));

it.each(runs([1, 3], [2, 5]))('exchanges numbers between %i ranks', async (size) => {
  const { code, out, err } = await mpirun(size, [program('messages')]);
  expect(err).toBe('');
  expect(code).toBe(0);
  const all = Array.from({ length: size }, (_, rank) => rank);
  const sum = all.reduce((total, rank) => total + rank, 0);
  const tenths = all.reduce((total, rank) => total + 0.1 * rank, 0);
  expect(JSON.parse(out)).toEqual({
    size,
    gathered: all.flatMap((rank) => [rank, 0.1 * rank]),
    sums: [size, sum, tenths],
    good: [size, size, size],
  });
});

itOnce('ends all ranks when one of them aborts', async () => {
  const { code, out } = await mpirun(3, [program('abort')]);
  expect(code).toBe(7);
  expect(out).toBe('');
});

itOnce('says in a sentence that there is no MPI', async () => {
  const env = { ...process.env, CORPUSCLE_MPI: '/nowhere/libmpi.so' };
  const { stderr } = await promisify(execFile)(process.execPath, [program('messages')], {
    env,
  }).then(
    () => ({ stderr: '' }),
    (error: { stderr: string }) => error,
  );
  expect(stderr).toContain(
    "CORPUSCLE_MPI is '/nowhere/libmpi.so', which is no library that can be loaded: give the path of libmpi",
  );
});
