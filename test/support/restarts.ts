import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  findRestart,
  loadSimulation,
  type RunCheckpoint,
  type RunResult,
  readCheckpoint,
  runSimulation,
  type Saved,
  SharedHeap,
} from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext, type Precision } from '@corpuscle/patterns';
import { expect } from 'vitest';
import { meltYaml } from './runCli.js';

/** Where a run is computed. */
export interface RunMachine {
  readonly backend?: 'cpu' | 'webgpu';
  readonly threads?: number;
  readonly precision?: Precision;
  /** The step after which it is interrupted. */
  readonly interruptAt?: number;
}

/** A melt that writes checkpoints; `parts` as for `meltYaml`. */
export const checkpointed = (
  steps: number,
  every: number,
  parts: Readonly<Record<string, string | null>> = {},
): string =>
  meltYaml({
    configuration: '{ units: lj, seed: 87287, deterministic: true }',
    global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 7 }`,
    dump_data: `\n  - checkpoint: { frequency: ${every}, keep: 1000 }`,
    ...parts,
  });

/** Folders of runs, each with what it wrote. */
export class RunFolders {
  readonly root = mkdtempSync(path.join(tmpdir(), 'corpuscle-restart-'));

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  folder(name: string): string {
    const folder = path.join(this.root, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Runs a simulation in a folder; or goes on with it in a copy of a folder from its checkpoint of a step. */
  async run(
    name: string,
    yaml: string,
    { backend = 'cpu', threads = 1, precision, interruptAt = Infinity }: RunMachine = {},
    from?: { readonly name: string; readonly step: number },
  ): Promise<RunResult & { readonly said: readonly string[] }> {
    const folder = this.folder(name);
    if (from) cpSync(this.folder(from.name), folder, { recursive: true });
    const file = path.join(folder, 'in.yaml');
    writeFileSync(file, yaml);
    const simulation = loadSimulation([file], { operators: createRegistry() });
    const said: string[] = [];
    await using context = await createExecutionContext({
      backend,
      threads,
      precision,
      deterministic: simulation.configuration.deterministic,
      heap: new SharedHeap(),
    });
    const restart =
      from &&
      (await findRestart(simulation, {
        checkpoint: this.checkpoint(name, from.step),
        outputDirectory: folder,
      }));
    const result = await runSimulation(simulation, {
      context,
      outputDirectory: folder,
      restart,
      stopAfter: interruptAt,
      onMessage: (text) => said.push(text),
    });
    return { ...result, said };
  }

  /** The checkpoints that a run has left, by step. */
  steps(name: string): number[] {
    const names = readdirSync(this.folder(name)).map((entry) =>
      /^checkpoint\.(\d+)\.ckpt$/.exec(entry),
    );
    return names.flatMap((found) => (found ? [Number(found[1])] : [])).sort((a, b) => a - b);
  }

  checkpoint(name: string, step: number): string {
    return path.join(this.folder(name), `checkpoint.${step}.ckpt`);
  }

  /** The state of a run at a checkpoint, without the time of day. */
  async state(name: string, step: number): Promise<Saved> {
    const saved = await readCheckpoint(this.checkpoint(name, step));
    return { ...(saved as Record<string, Saved>), written: '' };
  }

  /** Particles and lists at a checkpoint. */
  async particles(name: string, step: number): Promise<Saved> {
    const { run } = (await readCheckpoint(this.checkpoint(name, step))) as RunCheckpoint;
    return (run.shared as { grid: Saved }).grid;
  }

  /** The bytes of a file that a run has written, as text. */
  text(name: string, file: string): string {
    return readFileSync(path.join(this.folder(name), file), 'latin1');
  }

  /** Runs a simulation, goes on from some of its checkpoints, and compares all later checkpoints and all files. */
  async compare(
    name: string,
    yaml: string,
    machine: RunMachine,
    { from, files = [] }: { from: readonly number[]; files?: readonly string[] },
  ): Promise<void> {
    await this.run(name, yaml, machine);
    const steps = this.steps(name);
    for (const step of from) {
      const part = `${name}-${step}`;
      await this.run(part, yaml, machine, { name, step });
      expect(this.steps(part)).toEqual(steps);
      for (const later of steps.filter((other) => other > step)) {
        const [found, wanted] = [await this.state(part, later), await this.state(name, later)];
        // Takes microseconds a number: only where something differs, to tell what.
        if (!isDeepStrictEqual(found, wanted)) expect(found, `step ${later}`).toEqual(wanted);
      }
      for (const file of ['thermo.csv', ...files])
        expect(this.text(part, file), file).toBe(this.text(name, file));
    }
  }
}
