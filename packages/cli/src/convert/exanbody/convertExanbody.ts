import path from 'node:path';
import { Batch, draftText, type Section, type Value } from '../Draft.js';
import { addDomain } from './crystals.js';
import { Input, nameHere } from './Input.js';
import { addOperators } from './operators.js';
import { addOutput } from './output.js';
import { type Msp, readMsp } from './readMsp.js';
import { addScheme } from './schemes.js';
import { quietSections, unnecessary } from './unnecessary.js';

/** Globals here. */
const GLOBALS: ReadonlySet<string> = new Set([
  'dt',
  'rcut_inc',
  'end_iteration',
  'thermo_frequency',
]);
/** Names in exaStamp, beside those of exaNBody, which `otherNames` has. */
const STAMP: Readonly<Record<string, string>> = {
  max_iteration: 'end_iteration',
  simulation_thermostate_screen_frequency: 'thermo_frequency',
};
const QUIET_GLOBALS =
  /^(rcut_max|timestep|physical_time|deterministic_noise|chunk_size|ghost_dist|compute_loop_continue|simulation_dump_\w+|simulation_load_balance_frequency|enable_\w+|pbc_adjust_xform|simulation_\w*frequency)$/;

/** Batches of the default simulation that are read by name. */
const READ =
  /^(configuration|global|particle_types|species|input_data|setup_system|input_molecules|compute_force|compute_all_forces_energy|numerical_scheme|first_iteration|dump_data|simulation_epilog|simulation|init_\w+)$/;

/**
 * The simulation file of an input of exaNBody. What has no counterpart is a comment at its place.
 * @throws CorpuscleError SYNTAX with file and line of a mistake; FILE_NOT_FOUND
 */
export function convertExanbody(file: string): {
  readonly text: string;
  readonly isComplete: boolean;
} {
  const { root, notes } = readMsp(file);
  const input = new Input(root);
  if (notes.length > 0) input.isIncomplete = true;
  const used = new Set<string>();
  const section = (name: string): Msp | undefined => {
    used.add(name);
    return root.get(name);
  };
  for (const name of ['species', 'particle_types']) {
    const node = section(name);
    if (node)
      addOperators(
        input,
        { ...node, items: [{ ...node, entries: new Map([[name, node]]) }], entries: undefined },
        input.setup,
      );
  }
  addGlobals(input, section('global'));
  for (const name of ['input_data', 'setup_system']) addSection(input, section(name), input.setup);
  const forces = section('compute_all_forces_energy') ?? section('compute_force');
  addSection(input, forces, input.forces);
  addScheme(input, section('numerical_scheme'));
  addSection(input, section('first_iteration'), input.first);
  addOutput(input, section('dump_data'));
  addSection(input, section('simulation_epilog'), input.last);
  const own = ownSimulation(input, section('simulation'));
  noteUnused(input, used);
  return { text: write(input, file, notes, own), isComplete: !input.isIncomplete };
}

const addSection = (input: Input, node: Msp | undefined, batch: Batch): void => {
  if (node) addOperators(input, node, batch);
};

function addGlobals(input: Input, node: Msp | undefined): void {
  for (const [key, value] of node?.entries ?? []) {
    const name = nameHere(key, GLOBALS) ?? STAMP[key];
    const quantity = input.quantity(value);
    if (name && quantity !== undefined) {
      const isFrequency = name === 'thermo_frequency' && !(Number(quantity) > 0);
      input.globals[name] = isFrequency ? 1_000_000_000 : quantity;
    } else if (!QUIET_GLOBALS.test(key))
      input.skip(value, `global ${key}`, 'nothing here asks for it');
  }
}

/** A simulation of its own: null for the default one. */
function ownSimulation(input: Input, node: Msp | undefined): Batch | null {
  if (!node || node.scalar !== undefined) return null;
  const names = (node.items ?? []).map(({ scalar, entries }) =>
    String(scalar ?? [...(entries ?? new Map()).keys()][0]),
  );
  if (names.some((name) => /^(compute_loop|first_iteration|numerical_scheme)$/.test(name)))
    return null;
  const batch = new Batch();
  const all = {
    ...node,
    items: (node.items ?? []).filter(
      (_, k) => !/^(global|domain|species|input_data)$/.test(names[k]!),
    ),
  };
  addOperators(input, all, batch);
  return batch;
}

/** Sections that nothing has asked for. */
function noteUnused(input: Input, used: ReadonlySet<string>): void {
  const text = JSON.stringify([...input.root.values()].map((node) => namesIn(node)));
  for (const [name, node] of input.root) {
    const isKnown =
      used.has(name) || READ.test(name) || unnecessary.has(name) || quietSections.has(name);
    if (!isKnown && !text.includes(`"${name}"`))
      input.skip(node, name, 'nothing here asks for it', input.last);
  }
}

/** Names of operators in a list, however deep. */
function namesIn({ items = [], entries, scalar }: Msp): string[] {
  const inner = [...items, ...(entries?.values() ?? [])].flatMap(namesIn);
  return [...inner, ...(entries?.keys() ?? []), ...(typeof scalar === 'string' ? [scalar] : [])];
}

function write(input: Input, file: string, notes: readonly string[], own: Batch | null): string {
  if (!input.hasBox && input.root.get('domain')) addDomain(input, input.root.get('domain')!);
  const head = [`from ${path.basename(file)}`, ...notes];
  if (input.isIncomplete) head.push('What has no counterpart is a comment with "not converted".');
  const globals = { dt: '1 fs', end_iteration: 10_000, thermo_frequency: 10, ...input.globals };
  const simulation = new Batch();
  if (own) {
    simulation.addAll(input.setup);
    simulation.addAll(own);
  }
  const none = input.forces.operators.length === 0;
  const sections: Section[] = [
    ['configuration', { units: input.units }],
    ['global', globals as Value],
    ...(input.types.size > 0 ? [['particle_types', Object.fromEntries(input.types)] as const] : []),
    ...(own ? [] : [['setup_system', input.setup] as const]),
    ['compute_force', input.forces],
    ...(none ? [['compute_force', input.forces.empty] as const] : []),
    ...(own
      ? []
      : ([
          ['numerical_scheme', input.scheme],
          ['first_iteration', input.first],
        ] as const)),
    ...(own
      ? []
      : ([
          ['dump_data', input.output],
          ['simulation_epilog', input.last],
        ] as const)),
    own ? ['simulation', simulation] : ['simulation', 'molecular_dynamics'],
    ...(own && simulation.operators.length === 0 ? [['simulation', []] as const] : []),
  ];
  return draftText(head, sections);
}
