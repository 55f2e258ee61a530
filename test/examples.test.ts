import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));
const examples = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.ts'));

/** Examples run as a user runs them: a process of their own, on the built packages. */
async function runExample(name: string, backend: string): Promise<string> {
  const env = { ...process.env, CORPUSCLE_SOFTWARE_GPU: '1' };
  const { stdout } = await run(process.execPath, ['--import', 'tsx', `examples/${name}`, backend], {
    cwd: root,
    env,
  });
  return stdout;
}

test('the four examples of the seed page are there', () => {
  expect(examples).toEqual(
    expect.arrayContaining([
      '02-add-value.ts',
      '03-add-velocity.ts',
      '04-sum-force-norm.ts',
      '05-lennard-jones.ts',
    ]),
  );
});

describe.each(examples)('%s', (name) => {
  test('has fewer than 60 lines', () => {
    expect(readFileSync(`${root}/examples/${name}`, 'utf8').split('\n').length).toBeLessThan(60);
  });

  test.each(['cpu', 'webgpu'])('runs on %s and says so', async (backend) => {
    const output = await runExample(name, backend);
    expect(output).toMatch(new RegExp(`\\b${backend}\\b`));
    expect(output.trim().split('\n').length).toBeGreaterThan(0);
  });
});
