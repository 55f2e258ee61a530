import { Batch } from '../Draft.js';
import { wrapSetup } from './boxes.js';
import { schemeOf } from './fixes.js';
import type { Script, Stage } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** Each is written out. */
const MOST_RUNS = 1000;

/** `run N` */
export function addRun(script: Script, [count, ...keywords]: readonly string[]): void {
  const steps = script.whole(count);
  const unknown = keywords.filter((word) => !/^(pre|post|yes|no)$/.test(word));
  if (unknown.length > 0) throw new Unmapped(`run with ${unknown[0]} has no counterpart`);
  begin(script, { steps });
}

/** `minimize etol ftol maxiter maxeval` */
export function addMinimize(script: Script, [energy, force, iterations]: readonly string[]): void {
  const [energyTolerance, forceTolerance] = [script.number(energy), script.number(force)];
  const relaxes = [...script.fixes.values()].map((fix) => fix.relaxes ?? {});
  begin(script, {
    minimize: {
      style: script.minimizer.style,
      ...(energyTolerance > 0 && { energy_tolerance: energyTolerance }),
      // A largest force of 0 is never reached.
      ...(forceTolerance > 0 && { force_tolerance: forceTolerance }),
      max_steps: script.whole(iterations),
      ...Object.assign({}, ...relaxes),
    },
  });
}

/** `min_style` */
export function setMinimizer(script: Script, [style = '']: readonly string[]): void {
  if (!/^(cg|sd|fire)$/.test(style))
    throw new Unmapped(`there is no counterpart of min_style ${style}`);
  script.minimizer.style = style;
}

function begin(script: Script, what: Pick<Stage, 'steps' | 'minimize'>): void {
  if (script.source === 'none' || script.source === 'box')
    throw script.mistake('there are no particles yet: create_atoms or read_data come before');
  if (script.stages.length >= MOST_RUNS)
    throw script.mistake(
      `the script has more than ${MOST_RUNS} runs: a loop of our own is shorter, see docs/graph.md`,
    );
  if (script.stages.length === 0) finishSetup(script);
  else if (script.shared !== sharedOf(script))
    script.skip(
      'forces or walls changed before this run',
      'a file has those of its first run: write what follows into a file of its own',
    );
  const fixes = [...script.fixes.values()];
  const dumps = [...script.dumps.values(), ...fixes.flatMap(({ dump = [] }) => dump)];
  if (what.steps && schemeOf(fixes).length === 0)
    script.skip(`run ${what.steps}`, 'no fix moves the particles, and velocity Verlet does here');
  script.stages.push({ ...what, fixes, dumps, dt: script.dt, after: new Batch() });
}

/** Forces and walls, which all runs of a file share. */
const sharedOf = (script: Script): string => {
  const fixes = [...script.fixes.values()].filter(({ force, drift }) => force ?? drift);
  const parts = fixes.map(({ force = [], drift = [] }) => [force, drift]);
  return JSON.stringify([parts, script.pairs.text]);
};

/** What must be known before the first run: forces, and faces that follow the particles. */
export function finishSetup(script: Script): void {
  wrapSetup(script);
  script.pairs.write(script, script.forces);
  script.shared = sharedOf(script);
}
