import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContextOptions } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect } from 'vitest';
import { mpirun } from '../../support/mpirun.js';
import type { RankCase } from './rankCases.js';

/** Texts by the names of their files. */
export type Texts = Readonly<Record<string, string>>;

/** The path of a program in `programs`. */
export const programOf = (name: string): string =>
  fileURLToPath(new URL(`../programs/${name}.mjs`, import.meta.url));

/** Simulations that ranks run, and before the tests one process, by default on the CPU, in a folder that goes with the tests. */
export function casesOnRanks(
  cases: readonly (readonly [string, RankCase])[],
  options: ExecutionContextOptions = { backend: 'cpu', threads: 1 },
) {
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fileOf = (name: string): string => join(folder, `${name.replaceAll(' ', '-')}.yaml`);
  /** What one process writes, by case. */
  const alone: Record<string, Texts> = {};
  beforeAll(async () => {
    for (const [name, { text, particles }] of cases) {
      writeFileSync(fileOf(name), text);
      if (particles) writeFileSync(join(folder, particles.file), particles.text);
      await using context = await createExecutionContext(options);
      const simulation = loadSimulation([fileOf(name)], { operators: createRegistry() });
      const outputDirectory = join(folder, 'alone');
      await runSimulation(simulation, { context, outputDirectory, older: 'replace' });
      const texts = readdirSync(outputDirectory).map((file) => [
        file,
        readFileSync(join(outputDirectory, file), 'utf8'),
      ]);
      alone[name] = Object.fromEntries(texts);
      rmSync(outputDirectory, { recursive: true });
    }
  }, 600_000);
  return { folder, fileOf, alone };
}

/** V8 compiles with care only what is used for longer: that was a fourth of what ranks did in runs of a hundred steps. */
const SHORT_RUNS = ['--interrupt-budget=1000000', '--wasm-tiering-budget=20000000'];

/** What ranks that run a program write for each of these files. */
export async function outputsOn(
  ranks: number,
  program: string,
  files: readonly string[],
  env?: NodeJS.ProcessEnv,
): Promise<readonly Texts[]> {
  const { code, out, err } = await mpirun(ranks, [...SHORT_RUNS, program, ...files], env);
  expect(code, err).toBe(0);
  return JSON.parse(out);
}
