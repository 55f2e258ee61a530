import type { Slots } from '../Draft.js';
import { writeDomain } from './boxes.js';
import type { Crystal } from './crystals.js';
import type { Script } from './Script.js';
import { simpleCrystal } from './simpleCrystal.js';
import { Unmapped } from './Unmapped.js';

/** `mass types m` */
export function setMass(script: Script, [range, word]: readonly string[]): void {
  const mass = script.number(word, 'a mass');
  if (!(mass > 0)) throw script.mistake(`a mass of ${word} is not positive`);
  for (const k of script.typeRange(range)) {
    const type = script.types[k]!;
    // Particles of a file, and those that are there, have masses of their own.
    if (script.source === 'file' || script.stages.length > 0)
      script.here.add('set', { region: { types: [type.name] }, mass });
    type.mass = mass;
  }
}

interface CreateKeywords {
  readonly scale: readonly number[];
  /** Types of sites of the cell, by their index. */
  readonly basis: ReadonlyMap<number, string>;
}

/** Keywords after the style of `create_atoms`. */
function createKeywords(script: Script, args: readonly string[]): CreateKeywords {
  let scale: readonly number[] = script.crystal.spacing;
  const basis = new Map<number, string>();
  for (let k = 0; k < args.length; ) {
    const [key, a, b] = [args[k]!, args[k + 1], args[k + 2]];
    if (key === 'units') scale = a === 'box' ? [1, 1, 1] : scale;
    else if (key === 'basis') {
      basis.set(script.whole(a) - 1, script.typeName(b));
      k++;
    } else if (key !== 'remap') throw new Unmapped(`create_atoms with ${key} has no counterpart`);
    k += 2;
  }
  return { scale, basis };
}

/** `create_atoms type style …` */
export function createAtoms(script: Script, args: readonly string[]): void {
  const [type, style = '', ...rest] = args;
  if (!script.box) throw script.mistake('create_atoms needs a box: create_box comes before');
  const name = script.typeName(type);
  if (style === 'box') {
    const keywords = createKeywords(script, rest);
    const isSimple = script.source === 'box' && !script.boundary.some(isShrunk);
    const simple = isSimple ? simpleCrystal(script, name, keywords.basis) : null;
    script.source = simple ? 'created' : script.source;
    if (simple) {
      script.here.add('lattice', simple);
      const periodic = script.boundary.map((word) => word[0] === 'p');
      if (!periodic.every(Boolean)) script.here.add('change_box', { periodic, remap: 'none' });
      return;
    }
    fill(script, name, keywords, {});
  } else if (style === 'region')
    fill(script, name, createKeywords(script, rest.slice(1)), {
      region: regionFor(script, rest[0]),
    });
  else if (style === 'single') {
    const { scale } = createKeywords(script, rest.slice(3));
    const position = scale.map((length, k) => script.number(rest[k]) * length);
    create(script, { type: name, positions: [position] });
  } else if (style === 'random') {
    if (rest.length > 3)
      throw new Unmapped(`create_atoms random with ${rest[3]} has no counterpart`);
    const region = rest[2] === 'NULL' ? {} : { region: regionFor(script, rest[2]) };
    create(script, {
      type: name,
      count: script.whole(rest[0]),
      seed: script.whole(rest[1]),
      ...region,
    });
    script.note('random places are others than those of LAMMPS');
  } else throw new Unmapped(`create_atoms ${style} has no counterpart`);
}

/** The box must be there before a region is named in the file. */
function regionFor(script: Script, id: string | undefined): string {
  beginBox(script);
  return script.regionName(id);
}

function beginBox(script: Script): void {
  if (script.source === 'box') writeDomain(script);
  if (script.source === 'box') script.source = 'created';
}

function create(script: Script, slots: Slots): void {
  beginBox(script);
  script.here.add('create_particles', slots);
}

/** Sites of the crystal, with an operator for each type of them. */
function fill(
  script: Script,
  name: string,
  { basis }: CreateKeywords,
  where: { readonly region?: string },
): void {
  const { crystal } = script;
  if (crystal.basis.length === 0) throw script.mistake('create_atoms needs a lattice with sites');
  const byType = new Map<string, Crystal['basis'][number][]>();
  crystal.basis.forEach((site, k) => {
    const type = basis.get(k) ?? name;
    byType.set(type, [...(byType.get(type) ?? []), site]);
  });
  const whole = byType.size === 1 && !/custom|diamond/.test(crystal.style);
  const offset = crystal.origin.map((part, k) => part * crystal.spacing[k]!);
  const isAtLower = script.box!.lower.every(
    (low, k) => low === offset[k] && script.boundary[k]![0] !== 's',
  );
  for (const [type, sites] of byType) {
    const isCube = crystal.vectors.flat().every((x, k) => x === (k % 4 === 0 ? 1 : 0));
    const lattice = {
      ...(whole ? { structure: crystal.style } : { basis: sites }),
      ...(whole || isCube ? {} : { vectors: crystal.vectors }),
      lattice_constant: crystal.constant,
      ...(crystal.orient && { orient: crystal.orient }),
      ...(!isAtLower && { origin: offset }),
    };
    create(script, { type, lattice, ...withoutUpperFaces(script, where) });
  }
}

/** Whether the upper face of an axis follows the particles: LAMMPS sets it a little higher, so that sites on it count. */
const isShrunk = (word: string): boolean => (word[1] ?? word[0]) === 's';

/** LAMMPS has no sites on other upper faces, also of axes along which space does not repeat. */
function withoutUpperFaces(
  { boundary, box }: Script,
  { region }: { readonly region?: string },
): Slots {
  const open = [0, 1, 2].filter((k) => boundary[k]![0] !== 'p' && !isShrunk(boundary[k]!));
  const bounds = open.map((axis) => {
    const [low, high] = [box!.lower[axis]!, box!.upper[axis]!];
    return ['xyz'[axis]!, [low, high - 1e-9 * (high - low)]] as const;
  });
  if (bounds.length === 0) return { region };
  const inside = { box: Object.fromEntries(bounds) };
  return { region: region === undefined ? inside : { intersection: [region, inside] } };
}
