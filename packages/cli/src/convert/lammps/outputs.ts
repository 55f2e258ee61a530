import type { Slots, Value } from '../Draft.js';
import type { FixParts, Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** `thermo N` */
export function setThermo(script: Script, [every]: readonly string[]): void {
  const frequency = script.whole(every);
  if (script.stages.length > 0 && frequency !== script.thermoEvery)
    throw new Unmapped('rows of all runs have the frequency of the first');
  script.thermoEvery = frequency;
}

/** `thermo_style`: the table has its own columns; those of the box are asked for. */
export function setThermoStyle(script: Script, args: readonly string[]): void {
  if (args.some((word) => /^(vol|density|l[xyz]|xy|xz|yz|[xyz](lo|hi))$/.test(word)))
    script.thermo.box = true;
}

/** Columns that a dump of ours has too. */
const COLUMNS = /^(id|type|element|mass|q|[xyz]s?u?|i[xyz]|[vf][xyz])$/;

/** What `dump` and `write_dump` become. */
function dumpOf(
  script: Script,
  group: string | undefined,
  style: string | undefined,
  file: string | undefined,
  columns: readonly string[],
  frequency?: number,
): Value {
  const own = script.groupSlot(group);
  if (!file) throw script.mistake('a dump needs a file');
  const name = file
    .replace(/[.*]*\*[.]*/, '.')
    .replace(/\.gz$|\.zst$/, (end) => (end === '.gz' ? end : ''));
  const slots = { file: name, frequency, ...own };
  if (style === 'dcd') return { write_dcd: slots };
  if (style === 'xtc') return { write_xtc: slots };
  if (style === 'xyz') return { write_extended_xyz: { ...slots, fields: ['pos'] } };
  if (style === 'atom')
    return { write_lammps_dump: { ...slots, columns: ['id', 'type', 'xs', 'ys', 'zs'] } };
  if (style !== 'custom') throw new Unmapped(`there is no counterpart of dump ${style}`);
  const known = columns.filter((column) => COLUMNS.test(column));
  if (known.length < columns.length)
    script.skip(
      `columns ${columns.filter((column) => !known.includes(column)).join(' ')} of ${file}`,
      'they have no counterpart',
      script.output,
    );
  if (known.length === 0) throw new Unmapped('no column has a counterpart');
  return { write_lammps_dump: { ...slots, columns: known } };
}

/** `dump id group style N file columns…` */
export function setDump(
  script: Script,
  [id, group, style, every, file, ...columns]: readonly string[],
): void {
  if (!id) throw script.mistake('dump needs a name');
  const frequency = script.whole(every);
  if (frequency < 1) throw script.mistake(`dump every ${every} steps: give a whole number from 1`);
  script.dumps.set(id, dumpOf(script, group, style, file, columns, frequency));
}

/** `write_dump group style file columns… modify …` */
export function writeDump(script: Script, [group, style, file, ...rest]: readonly string[]): void {
  const modify = rest.indexOf('modify');
  const columns = modify < 0 ? rest : rest.slice(0, modify);
  addOne(script, dumpOf(script, group, style, file, columns));
}

function addOne(script: Script, operator: Value): void {
  const [[name, slots]] = Object.entries(operator) as [[string, Slots]];
  script.here.add(name, slots);
}

/** `write_data file` */
export function writeData(script: Script, [file]: readonly string[]): void {
  if (!file) throw script.mistake('write_data needs a file');
  script.here.add('write_lammps_data', { file: file.replace('*', '') });
}

/** `restart N file…` */
export function setRestart(script: Script, [every, file]: readonly string[]): void {
  const frequency = script.whole(every);
  if (frequency === 0) script.dumps.delete('restart');
  else
    script.dumps.set('restart', {
      checkpoint: { frequency, ...(file && { file: `${file.replace(/[.*]+/g, '')}.ckpt` }) },
    });
}

/** `compute id group style args…` */
export function setCompute(script: Script, [id, group, style, ...args]: readonly string[]): void {
  script.groupSlot(group);
  if (!id || !style) throw script.mistake('compute needs a name, a group and a style');
  script.computes.set(id, {
    ...{ style, args: [group!, ...args] },
    isUsed: /^(temp|pressure|pe|ke)$/.test(style),
    place: script.place,
  });
}

/** `fix id group ave/time Nevery Nrepeat Nfreq c_id… file F …`: analyses by the computes that they show. */
export function averagesOf(script: Script, args: readonly string[]): FixParts {
  const [every, repeat, frequency] = args.slice(3, 6).map((word) => script.whole(word));
  const rest = args.slice(6);
  const at = rest.indexOf('file');
  const file = at < 0 ? undefined : rest[at + 1];
  const ids = rest.flatMap((word) => /^c_(\w+)/.exec(word)?.slice(1) ?? []);
  const compute = script.computes.get(ids[0] ?? '');
  if (new Set(ids).size !== 1 || !compute)
    throw new Unmapped('only averages of one compute rdf, msd or vacf have a counterpart');
  const [group, ...values] = compute.args;
  const slot = script.groupSlot(group);
  const name = file ?? `${ids[0]}.txt`;
  compute.isUsed = true;
  if (compute.style === 'rdf') {
    const pairs: Value[] = [];
    let k = 1;
    for (; k + 1 < values.length && values[k] !== 'cutoff'; k += 2)
      for (const i of script.typeRange(values[k]))
        for (const j of script.typeRange(values[k + 1])) {
          const pair = [script.types[i]!.name, script.types[j]!.name].sort();
          if (!pairs.some((known) => String(known) === String(pair))) pairs.push(pair);
        }
    const own = values.indexOf('cutoff');
    const rMax = own < 0 ? undefined : script.number(values[own + 1]);
    if (own < 0) script.note(`${name}: g(r) ends at half the box; compute rdf ends at the cutoff`);
    return {
      dump: [
        {
          radial_distribution: {
            ...{ bins: script.whole(values[0]), file: name, frequency: every, r_max: rMax },
            ...(pairs.length > 0 && { pairs }),
            ...slot,
          } as Value,
        },
      ],
    };
  }
  const operator = { msd: 'mean_square_displacement', vacf: 'velocity_autocorrelation' }[
    compute.style
  ];
  if (!operator) throw new Unmapped(`averages of compute ${compute.style} have no counterpart`);
  if (repeat !== 1)
    script.note(`${name}: values every ${frequency} steps, without averages over time`);
  return { dump: [{ [operator]: { file: name, every: frequency, ...slot } as Value }] };
}
