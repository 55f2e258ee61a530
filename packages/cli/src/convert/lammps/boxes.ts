import type { Value } from '../Draft.js';
import { crystalOf } from './crystals.js';
import { textBeside } from './readCommands.js';
import type { Script, ScriptBox } from './Script.js';
import { Unmapped } from './Unmapped.js';

const AXES = 'xyz';
/** Stands for INF. */
export const FAR = 1e9;

/** `units`. @throws CorpuscleError, as every number after it depends on it */
export function setUnits(script: Script, [name = '']: readonly string[]): void {
  if (!/^(lj|real|metal|si)$/.test(name))
    throw script.mistake(
      `units ${name} are not converted: write the script in lj, real, metal or si`,
    );
  script.units = name;
}

export function setDimension(script: Script, [name]: readonly string[]): void {
  if (name !== '3')
    throw script.mistake(
      'simulations in a plane are not converted: there are three dimensions here',
    );
}

/** `boundary`: of each axis one letter, or two for its faces. */
export function setBoundary(script: Script, args: readonly string[]): void {
  if (args.length !== 3 || args.some((word) => !/^(p|pp|[fsm]{1,2})$/.test(word)))
    throw script.mistake('boundary needs three words of p, f, s or m');
  script.boundary = [...args];
}

const periodicOf = ({ boundary }: Script): boolean[] => boundary.map((word) => word[0] === 'p');

/** Faces that follow the particles: once when all are there. */
export function wrapSetup(script: Script): void {
  for (const slots of wrappedFaces(script)) script.setup.add('shrink_wrap', slots);
}

type Wrap = {
  readonly faces: string[];
  readonly minimum?: boolean;
  readonly margin?: number;
};

/** Slots of `shrink_wrap`. */
export function wrappedFaces(script: Script): Wrap[] {
  const wraps = new Map<string, Wrap>();
  for (const [axis, word] of script.boundary.entries())
    for (const [k, side] of ['lo', 'hi'].entries()) {
      const kind = word[k] ?? word[0];
      if (kind !== 's' && kind !== 'm') continue;
      const margin = script.margins[axis];
      const wrap = wraps.get(`${kind} ${margin}`) ?? {
        faces: [],
        ...(kind === 'm' && { minimum: true }),
        ...(margin !== undefined && { margin }),
      };
      wraps.set(`${kind} ${margin}`, wrap);
      wrap.faces.push(`${AXES[axis]}${side}`);
    }
  return [...wraps.values()].sort((one, other) => Number(!!one.minimum) - Number(!!other.minimum));
}

export function setLattice(script: Script, args: readonly string[]): void {
  const number = (word: string | undefined) => script.number(word);
  script.crystal = crystalOf(args, script.units === 'lj', number, script.place);
}

/** What keywords of a region change: units and side. */
function regionKeywords(script: Script, args: readonly string[], from: number) {
  let scale: readonly number[] = script.crystal.spacing;
  let isOutside = false;
  for (let k = from; k < args.length; k += 2) {
    const [key, value] = [args[k], args[k + 1]];
    if (key === 'units' && /^(box|lattice)$/.test(value ?? '')) {
      if (value === 'box') scale = [1, 1, 1];
    } else if (key === 'side' && /^(in|out)$/.test(value ?? '')) isOutside = value === 'out';
    else throw new Unmapped(`regions with ${key} have no counterpart`);
  }
  return { scale, isOutside };
}

/** Numbers of arguments of the styles. */
const REGION_ARGS: Readonly<Record<string, number>> = {
  block: 6,
  prism: 9,
  sphere: 4,
  cylinder: 6,
  cone: 7,
  plane: 6,
};

/** `region id style args…` */
export function setRegion(script: Script, [id, style = '', ...args]: readonly string[]): void {
  if (!id) throw script.mistake('region needs a name');
  if (style === 'union' || style === 'intersect') {
    const count = script.whole(args[0]);
    const shapes = args.slice(1, 1 + count).map((name) => script.regions.get(name)?.shape);
    if (shapes.length !== count || shapes.includes(undefined))
      throw script.mistake(`region ${id} needs ${count} regions that are defined before`);
    const { isOutside } = regionKeywords(script, args, 1 + count);
    const shape = { [style === 'union' ? 'union' : 'intersection']: shapes as Value };
    script.regions.set(id, { shape: isOutside ? { complement: shape } : shape, isWritten: false });
    return;
  }
  const count = REGION_ARGS[style];
  if (count === undefined) throw new Unmapped(`there is no region of style ${style}`);
  if (args.length < count) throw script.mistake(`region ${style} needs ${count} values`);
  const { scale, isOutside } = regionKeywords(script, args, count);
  const { shape, box } = shapeOf(script, style, args, scale);
  script.regions.set(id, {
    shape: isOutside ? { complement: shape } : shape,
    ...(box && !isOutside && { box }),
    isAtEdge: args.includes('EDGE'),
    isWritten: false,
  });
}

const isOpen = (word: string | undefined) => word === 'INF' || word === 'EDGE';

function shapeOf(
  script: Script,
  style: string,
  args: readonly string[],
  scale: readonly number[],
): { shape: Value; box?: ScriptBox } {
  const at = (k: number, axis: number) => script.number(args[k]) * scale[axis]!;
  const bound = (k: number, axis: number): number => {
    if (args[k] === 'EDGE')
      return (
        (k % 2 === 0 ? script.box?.lower : script.box?.upper)?.[axis] ?? (k % 2 === 0 ? -FAR : FAR)
      );
    if (args[k] === 'INF') return k % 2 === 0 ? -FAR : FAR;
    return at(k, axis);
  };
  if (style === 'block' || style === 'prism') {
    const sides = [0, 1, 2].map((axis) => [bound(2 * axis, axis), bound(2 * axis + 1, axis)]);
    sides.forEach(([low, high], axis) => {
      if (!(low! < high!)) throw script.mistake(`the region has no width along ${AXES[axis]}`);
    });
    const tilt = style === 'prism' ? [at(6, 0), at(7, 0), at(8, 1)] : [0, 0, 0];
    const box = { lower: sides.map(([low]) => low!), upper: sides.map(([, high]) => high!), tilt };
    const given = [0, 1, 2].filter(
      (axis) => !(isOpen(args[2 * axis]) && isOpen(args[2 * axis + 1])),
    );
    const bounds = Object.fromEntries(given.map((axis) => [AXES[axis]!, sides[axis]!]));
    return { shape: tilt.some((t) => t !== 0) ? prism(box) : { box: bounds }, box };
  }
  if (style === 'sphere')
    return { shape: { sphere: { center: [at(0, 0), at(1, 1), at(2, 2)], radius: at(3, 0) } } };
  if (style === 'plane')
    return {
      shape: {
        plane: {
          point: [at(0, 0), at(1, 1), at(2, 2)],
          normal: [3, 4, 5].map((k) => script.number(args[k])),
        },
      },
    };
  const axis = AXES.indexOf(args[0] ?? '?');
  if (axis < 0) throw script.mistake(`region ${style} needs x, y or z`);
  const others = [0, 1, 2].filter((k) => k !== axis);
  const ends = style === 'cone' ? 5 : 4;
  const isInfinite = isOpen(args[ends]) && isOpen(args[ends + 1]);
  const point = (along: number) => {
    const p = [0, 0, 0];
    others.forEach((other, k) => {
      p[other] = at(1 + k, other);
    });
    p[axis] = along;
    return p;
  };
  const end = (k: number, open: number) =>
    isOpen(args[k]) ? (isInfinite ? open : open * 1e9) : at(k, axis);
  const [from, to] = [point(end(ends, isInfinite ? 0 : -1)), point(end(ends + 1, 1))];
  if (style === 'cone')
    return { shape: { cone: { from, to, radii: [at(3, others[0]!), at(4, others[0]!)] } } };
  return {
    shape: {
      cylinder: { from, to, radius: at(3, others[0]!), ...(isInfinite && { infinite: true }) },
    },
  };
}

/** What is between the three pairs of faces of a box that leans. */
function prism({ lower, upper, tilt }: ScriptBox): Value {
  const [lx, ly, lz] = lower.map((low, k) => upper[k]! - low) as [number, number, number];
  const [xy, xz, yz] = tilt as [number, number, number];
  const sides: [number[], number[]][] = [
    [
      [lx, 0, 0],
      [ly * lz, -xy * lz, xy * yz - ly * xz],
    ],
    [
      [xy, ly, 0],
      [0, lz, -yz],
    ],
    [
      [xz, yz, lz],
      [0, 0, 1],
    ],
  ];
  const planes = sides.flatMap(([edge, normal]) => [
    { plane: { point: lower, normal } },
    { plane: { point: lower.map((low, k) => low + edge[k]!), normal: normal.map((n) => -n) } },
  ]);
  return { intersection: planes };
}

/** `create_box types region` */
export function createBox(script: Script, [count, id]: readonly string[]): void {
  const region = script.regions.get(id ?? '');
  if (!region) throw script.mistake(`there is no region '${id ?? ''}': define it before`);
  if (!region.box)
    throw script.mistake(`region ${id} is no block or prism: no box can be made of it`);
  if (script.source !== 'none') throw script.mistake('there is a box already');
  script.setTypes(script.whole(count));
  script.box = region.box;
  script.source = 'box';
}

/** Part of a length by which LAMMPS widens a box at faces that follow the particles. */
const WIDENED = 1e-4;

/** The box for particles that no simple crystal is. */
export function writeDomain(script: Script): void {
  const { tilt, ...box } = script.box!;
  const sides = script.boundary.map((word, k) => {
    const [low, high] = [box.lower[k]!, box.upper[k]!];
    const margin = WIDENED * (high - low);
    const [below, above] = [word[0], word[1] ?? word[0]].map((kind) => (kind === 's' ? margin : 0));
    if (below! + above! > 0) script.margins[k] = margin;
    return [low - below!, high + above!];
  });
  const lower = sides.map(([low]) => low!);
  const upper = sides.map(([, high]) => high!);
  const periodic = periodicOf(script);
  const [lx, ly, lz] = lower.map((low, k) => upper[k]! - low);
  const isTilted = tilt.some((t) => t !== 0);
  const [xy, xz, yz] = tilt;
  script.setup.add('domain', {
    lower: lower.some((low) => low !== 0) ? lower : undefined,
    ...(isTilted ? { lattice: [lx!, 0, 0, xy!, ly!, 0, xz!, yz!, lz!] } : { upper }),
    periodic: periodic.every(Boolean) ? undefined : periodic,
  });
}

/** Bytes of a data file that have its types and box. */
const HEAD = 2 ** 18;

/** `read_data file`; the head of the file tells types and box, where it is beside the script. */
export function readData(script: Script, [file, ...keywords]: readonly string[]): void {
  if (!file) throw script.mistake('read_data needs a file');
  if (script.source !== 'none') throw script.mistake('there is a box already');
  if (keywords.length > 0) throw new Unmapped(`read_data with ${keywords[0]} has no counterpart`);
  const head = textBeside(script.place, file, HEAD);
  const count = /^\s*(\d+)\s+atom types/m.exec(head)?.[1];
  const masses = /^\s*Masses\b.*\n\s*\n((?:\s*\d+\s.*\n?)+)/m.exec(head)?.[1]?.split('\n') ?? [];
  const labels = masses.map((line) => /#\s*(\S+)\s*$/.exec(line)?.[1] ?? '');
  script.setTypes(count === undefined ? 1 : Number(count), labels);
  masses.forEach((line) => {
    const [type, mass] = line.trim().split(/\s+/).map(Number);
    const at = script.types[(type ?? 0) - 1];
    if (at && Number.isFinite(mass)) at.mass = mass!;
  });
  const sides = ['x', 'y', 'z'].map((a) =>
    new RegExp(`^\\s*(\\S+)\\s+(\\S+)\\s+${a}lo\\s+${a}hi`, 'm').exec(head),
  );
  const tilt = /^\s*(\S+)\s+(\S+)\s+(\S+)\s+xy\s+xz\s+yz/m.exec(head);
  if (sides.every(Boolean))
    script.box = {
      lower: sides.map((side) => Number(side![1])),
      upper: sides.map((side) => Number(side![2])),
      tilt: tilt ? tilt.slice(1, 4).map(Number) : [0, 0, 0],
    };
  script.source = 'file';
  script.setup.add('read_lammps_data', { file });
  if (!periodicOf(script).every(Boolean))
    script.setup.add('change_box', { periodic: periodicOf(script), remap: 'none' });
}
