import type { Input } from './Input.js';
import type { Msp } from './readMsp.js';

/** Columns of write_xyz that ours has. */
const FIELDS: Readonly<Record<string, string>> = {
  id: 'id',
  position: 'pos',
  velocity: 'velo',
  force: 'forces',
  mass: 'mass',
  charge: 'charge',
  ep: 'energy',
};
const DEFAULTS: Readonly<Record<string, string>> = {
  dump_data_xyz: 'write_xyz',
  dump_data_paraview: 'write_paraview',
  dump_data_particles: 'write_dump',
};

/** `dump_data`: what is written every `simulation_dump_frequency` steps. */
export function addOutput(input: Input, node: Msp | undefined): void {
  const frequency = Number(
    input.root.get('global')?.entries?.get('simulation_dump_frequency')?.scalar ?? 1000,
  );
  if (!node || node.scalar === 'nop' || node.scalar === '' || !(frequency > 0)) return;
  const items = node.items ?? [node];
  let file = 'particles';
  for (const item of items) {
    const [[name, slots]] = [...(item.entries ?? new Map([[String(item.scalar), item]]))] as [
      [string, Msp],
    ];
    const writer = DEFAULTS[name] ?? name;
    if (name === 'timestep_file') {
      file = nameIn(slots);
      continue;
    }
    const own = slots.entries?.get('filename');
    const base = own ? nameIn(own) : file;
    if (writer === 'write_xyz') writeXyz(input, slots, base, frequency);
    else if (writer === 'write_paraview' || writer === 'write_vtp')
      input.output.add('write_vtp', { file: `${base}.pvd`, frequency });
    else if (writer === 'write_dump')
      input.output.add('checkpoint', { frequency, file: `${base}.ckpt` });
    else if (!/^(nop|message|print_dump_file)$/.test(name))
      input.skip(item, name, 'there is no counterpart', input.output);
  }
}

/** A name without the number of the step and the ending. */
function nameIn(node: Msp): string {
  const text = String(node.scalar ?? node.entries?.get('format')?.scalar ?? 'particles');
  const bare = text
    .replace(/_?%\d*\w/g, '')
    .replace(/\.\w+$/, '')
    .replace(/^[./]+/, '');
  return bare === '' ? 'particles' : bare;
}

function writeXyz(
  input: Input,
  { entries, line, file }: Msp,
  base: string,
  frequency: number,
): void {
  const asked = (entries?.get('fields')?.items ?? []).map(({ scalar }) => String(scalar));
  const fields = asked.flatMap((name) => FIELDS[name] ?? []);
  const unknown = asked.filter((name) => !FIELDS[name] && name !== 'type');
  if (unknown.length > 0)
    input.skip(
      { line, file },
      `fields ${unknown.join(', ')} of write_xyz`,
      'they have no counterpart',
      input.output,
    );
  const own = fields.length > 0 ? { fields: [...new Set(['pos', ...fields])] } : {};
  input.output.add('write_extended_xyz', { file: `${base}.xyz`, frequency, ...own });
}
