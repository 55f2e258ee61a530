import { CorpuscleError } from '@corpuscle/core';
import * as boxes from './boxes.js';
import * as changes from './changes.js';
import { fixOf } from './fixes.js';
import * as groups from './groups.js';
import * as outputs from './outputs.js';
import * as particles from './particles.js';
import { wordsOf } from './readCommands.js';
import * as runs from './runs.js';
import { Script } from './Script.js';
import { ScriptReader } from './ScriptReader.js';
import { Unmapped } from './Unmapped.js';
import { writeScript } from './writeScript.js';

type Handler = (script: Script, args: readonly string[]) => void;

/** Commands that say how LAMMPS does its work, not what is computed. */
const UNNECESSARY =
  /^(atom_style|atom_modify|newton|processors|package|suffix|echo|log|print|info|timer|comm_modify|comm_style|neigh_modify|thermo_modify|dump_modify|fix_modify|compute_modify|min_modify|balance|uncompute|clear_log|box|run_style)$/;
/** Words that make such a command count all the same. */
const CHANGES =
  /^\s*(dump_modify\s.*\s(thresh|region|every)|neigh_modify\s.*exclude|run_style\s+(?!verlet)|(fix|thermo)_modify\s(.*\s)?temp|fix_modify\s.*\svirial\s+yes|compute_modify\s.*\sextra)\b/;
/** Commands for which a file of ours has no room. */
const REFUSED = /^(python|rerun|partition|temper|clear)$/;

const handlers: Readonly<Record<string, Handler>> = {
  units: boxes.setUnits,
  dimension: boxes.setDimension,
  boundary: boxes.setBoundary,
  lattice: boxes.setLattice,
  region: boxes.setRegion,
  create_box: boxes.createBox,
  read_data: boxes.readData,
  create_atoms: particles.createAtoms,
  mass: particles.setMass,
  set: changes.setValues,
  group: groups.setGroup,
  velocity: changes.setVelocity,
  displace_atoms: changes.displaceAtoms,
  delete_atoms: changes.deleteAtoms,
  replicate: changes.replicate,
  pair_style: (script, args) => script.pairs.setStyle(script, args),
  pair_coeff: (script, args) => script.pairs.setCoefficients(script, args),
  pair_modify: (script, args) => script.pairs.modify(script, args),
  dielectric: (script, [value]) => {
    script.pairs.dielectric = script.number(value);
  },
  neighbor: (script, [skin]) => {
    script.skin = script.number(skin);
  },
  timestep: (script, [dt]) => {
    script.timestep = script.number(dt);
  },
  reset_timestep: (script, [step]) => {
    if (script.stages.length > 0 || step !== '0') throw new Unmapped('steps go on from run to run');
  },
  fix: (script, args) => {
    const fix =
      args[2] === 'ave/time'
        ? { id: args[0]!, group: args[1]!, style: args[2], ...outputs.averagesOf(script, args) }
        : fixOf(script, args);
    script.fixes.set(fix.id, fix);
  },
  unfix: (script, [id = '']) => {
    script.fixes.delete(id);
  },
  compute: outputs.setCompute,
  thermo: outputs.setThermo,
  thermo_style: outputs.setThermoStyle,
  dump: outputs.setDump,
  undump: (script, [id = '']) => {
    script.dumps.delete(id);
  },
  write_dump: outputs.writeDump,
  write_data: outputs.writeData,
  restart: outputs.setRestart,
  min_style: runs.setMinimizer,
  minimize: runs.addMinimize,
  run: runs.addRun,
  variable: (script, args) => script.variables.define(args, script.place),
};

/** A simulation file, and whether all of the script is in it. */
export interface Converted {
  readonly text: string;
  readonly isComplete: boolean;
}

/**
 * The simulation file of a LAMMPS script. What has no counterpart is a comment at its place.
 * @throws CorpuscleError SYNTAX with file and line of a mistake in the script; FILE_NOT_FOUND
 * @example
 * const { text, isComplete } = convertLammps('in.melt');
 */
export function convertLammps(file: string): Converted {
  const script = new Script(file);
  new ScriptReader(script, (raw) => convertCommand(script, raw)).read(file);
  return { text: writeScript(script), isComplete: !script.isIncomplete };
}

/** `fix_modify id temp c`, where c is the temperature of the group of the fix anyway. */
function namesOwnTemperature(script: Script, raw: string): boolean {
  const [command, id = '', key, compute = '', ...others] = raw.trim().split(/\s+/);
  if (command !== 'fix_modify' || key !== 'temp' || others.length > 0) return false;
  return changes.isTemperatureOf(script, compute, script.fixes.get(id)?.group);
}

function convertCommand(script: Script, raw: string): void {
  // What has no value before a run may stand in commands that do nothing here.
  const isUnnecessary = UNNECESSARY.test(raw.trim().split(/\s+/)[0] ?? '');
  if (isUnnecessary) {
    if (CHANGES.test(raw) && !namesOwnTemperature(script, raw))
      script.skip(raw, 'it changes what is computed or written', script.batchOf(raw));
    return;
  }
  try {
    const text = script.variables.substitute(raw, script.place);
    const [name = '', ...args] = wordsOf(text, script.place);
    if (REFUSED.test(name))
      throw script.mistake(
        name === 'clear'
          ? "'clear' begins another simulation: write each into a file of its own, or one file with a matrix"
          : `'${name}' is not converted: leave it out, and convert the rest`,
      );
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (!handler) throw new Unmapped(`there is no counterpart of ${name}`);
    handler(script, args);
  } catch (error) {
    if (error instanceof CorpuscleError || !(error instanceof Unmapped)) throw error;
    script.skip(raw, error.message, script.batchOf(raw));
  }
}
