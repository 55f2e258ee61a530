import path from 'node:path';
import { Batch, draftText, type Section, type Value } from '../Draft.js';
import { wrappedFaces } from './boxes.js';
import { schemeOf } from './fixes.js';
import { finishSetup } from './runs.js';
import type { Script, Stage } from './Script.js';

/** The simulation file of a script that has been read. */
export function writeScript(script: Script): string {
  if (script.shared === null) finishSetup(script);
  const head = [`from ${path.basename(script.file)}`];
  for (const { style, isUsed, place } of script.computes.values())
    if (!isUsed) {
      script.isIncomplete = true;
      head.push(`line ${place.line}, not converted: compute ${style} (nothing here shows it)`);
    }
  if (script.isIncomplete) head.push('What has no counterpart is a comment with "not converted".');
  const types = script.types.map(({ name, mass }) => [name, { mass: mass ?? 1 }] as const);
  const sections: Section[] = [
    ['configuration', { units: script.units }],
    ['global', globalsOf(script)],
    ['particle_types', Object.fromEntries(types)],
    ['setup_system', script.setup],
    ...forceSections(script),
    ...(script.thermo.box ? [['thermo', { box: true }] as const] : []),
    ...storySections(script),
  ];
  return draftText(head, sections);
}

/** The run that is all that the file does. */
const onlyRun = ({ stages }: Script): Stage | null => {
  const [only] = stages;
  const isOne = stages.length === 1 && only!.after.operators.length === 0;
  return isOne && only!.steps !== undefined ? only! : null;
};

function globalsOf(script: Script): Value {
  const steps = script.stages.map((stage) => stage.steps ?? 0);
  return {
    dt: script.stages[0]?.dt ?? script.dt,
    rcut_inc: script.skin ?? undefined,
    end_iteration: onlyRun(script)?.steps,
    // thermo 0: the first step and the last.
    thermo_frequency: script.thermoEvery || Math.max(1, ...steps),
  };
}

function forceSections(script: Script): Section[] {
  const fixes = script.stages[0]?.fixes ?? [...script.fixes.values()];
  const drift = new Batch();
  for (const slots of wrappedFaces(script)) drift.add('shrink_wrap', slots);
  for (const value of fixes.flatMap((fix) => fix.drift ?? [])) drift.addValue(value);
  // What replaces forces comes last.
  const forces = fixes.flatMap((fix) => fix.force ?? []);
  const replaces = (value: Value) => Object.hasOwn(value as object, 'set_force');
  for (const last of [false, true])
    for (const value of forces) if (replaces(value) === last) script.forces.addValue(value);
  const none = script.forces.operators.length === 0;
  return [
    ['after_drift', drift],
    ['compute_force', script.forces],
    ...(none ? [['compute_force', script.forces.empty] as const] : []),
  ];
}

/** `simulation`, and what its runs share. */
function storySections(script: Script): Section[] {
  const { stages } = script;
  const runs = stages.filter(({ steps }) => steps !== undefined);
  const [first] = runs;
  const { dt = 0 } = stages[0] ?? {};
  const shared = first ? schemeIn(first, dt) : [];
  const sameDumps = runs.every((run) => textOf(run.dumps) === textOf(first!.dumps));
  for (const value of shared) script.scheme.addValue(value);
  if (sameDumps) for (const value of first?.dumps ?? []) script.output.addValue(value);
  const sections: Section[] = [
    ['numerical_scheme', script.scheme],
    ['dump_data', script.output],
  ];
  if (onlyRun(script))
    return [...sections, ['simulation', 'molecular_dynamics'], ['', first!.after]];
  const simulation = new Batch();
  const keys = schemeKeys(runs, dt);
  const named = namedSchemes(runs, keys, dt);
  simulation.add('setup_system');
  if (stages.length === 0) simulation.add('compute_force');
  for (const stage of stages) {
    const own = schemeIn(stage, dt);
    const key = keys.get(stage);
    const isOther = first && key !== keys.get(first);
    const scheme = named.get(key ?? '')?.name ?? (own.length > 0 ? own : ['velocity_verlet']);
    if (stage.minimize) simulation.addValue({ minimize: stage.minimize });
    else
      simulation.add('run', {
        steps: stage.steps!,
        ...(isOther && { numerical_scheme: scheme }),
        ...(!sameDumps && { dump_data: stage.dumps }),
      });
    simulation.addAll(stage.after);
  }
  const schemes = [...named.values()].map(({ name, batch }) => [name, batch] as const);
  return [...sections, ['simulation', simulation], ...schemes];
}

/** Integrators of several runs, other than those of the first: what a thermostat keeps goes on from run to run, as in LAMMPS. */
function namedSchemes(runs: readonly Stage[], keys: ReadonlyMap<Stage, string>, dt: number) {
  const named = new Map<string, { readonly name: string; readonly batch: Batch }>();
  const seen = new Set<string>();
  for (const run of runs) {
    const key = keys.get(run)!;
    if (seen.has(key) && !named.has(key) && key !== keys.get(runs[0]!)) {
      const batch = new Batch();
      for (const value of schemeIn(run, dt)) batch.addValue(value);
      if (batch.operators.length > 0) named.set(key, { name: `scheme_${named.size + 2}`, batch });
    }
    seen.add(key);
  }
  return named;
}

/** What tells the integrators of runs apart: their text, and which fix it is where one keeps something. */
function schemeKeys(runs: readonly Stage[], dt: number): ReadonlyMap<Stage, string> {
  const fixes = [...new Set(runs.flatMap((run) => run.fixes))];
  const keeps = fixes.filter(({ scheme = [] }) => textOf(scheme).includes('nose_hoover'));
  return new Map(
    runs.map((run) => {
      const kept = keeps.flatMap((fix, k) => (run.fixes.includes(fix) ? [k] : []));
      return [run, JSON.stringify([textOf(schemeIn(run, dt)), kept])];
    }),
  );
}

const textOf = (values: readonly Value[]): string => JSON.stringify(values);

/** The integrators of a run; a time step that is not that of the file is theirs. */
function schemeIn(stage: Stage, dt: number): readonly Value[] {
  const scheme = schemeOf(stage.fixes);
  if (stage.dt === dt) return scheme;
  return scheme.map((value) => {
    const [[name, slots]] = Object.entries(value as object) as [[string, object]];
    return { [name]: name === 'deform' ? slots : { ...slots, dt: stage.dt } } as Value;
  });
}
