import type { Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import { fieldUse } from '../../functor/passes/fieldUse.js';
import type { WgslEnv, WgslField } from '../../lower/wgsl/WgslEnv.js';
import { wgslMember } from '../../lower/wgsl/wgslNames.js';
import type { OutputTarget } from '../../pattern/PatternEngine.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { lowerWith } from '../pattern/functorText.js';
import { ParticleAccess } from '../pattern/ParticleAccess.js';
import { displacementWgsl } from '../pattern/pairWalk.js';
import { cellVectorWgsl, cellWgsl, frameParams, imageWgsl } from '../wgsl/frameWgsl.js';
import {
  combineWgsl,
  type DeviceResult,
  packedWgsl,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';
import { centralText } from './centralText.js';
import { contextText, meetText, packedText } from './contextText.js';
import { filterText } from './filterText.js';
import { type Given, giveText } from './given.js';
import { STAGE } from './stages.js';

export const NEIGHBOURHOOD_LANES = 64;

export interface NeighbourhoodKernelRequest {
  readonly functor: Functor;
  readonly ir: FunctorIR;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly orthorhombic: boolean;
  readonly state: DeviceReal;
  /** Neighbours that the buffer of a thread holds. */
  readonly capacity: number;
  /**
   * `all` particles fit, whatever they are; `first` notes those that do not; `rest` takes what `first` noted.
   */
  readonly pass: 'all' | 'first' | 'rest';
  /**
   * `whole`: the functor runs once, over the buffer. Functors of pairs with a context run in stages (`inStages`): `packed` over
   * the buffer, `each` as neighbours are met, without a buffer.
   */
  readonly visit: 'whole' | 'packed' | 'each';
}

export interface NeighbourhoodKernelText {
  readonly source: KernelSource;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly totals: readonly DeviceResult[];
  readonly given: readonly Given[];
}

/**
 * One thread a particle: its neighbours within the cutoff are packed into private memory, the functor runs over them, and
 * what it gave to neighbours is added to their accumulators, in whole numbers: the order does not matter.
 *
 *   column of the list ──► r2 < rcut² ──► n_row n_dx n_dy n_dz n_r2 n_type …  ──► functor ──► row,   n_fx ──► given[n_row]
 */
export function neighbourhoodKernel(request: NeighbourhoodKernelRequest): NeighbourhoodKernelText {
  const { functor, ir, tables, grid, outputs, orthorhombic, capacity, pass, visit } = request;
  const access = new ParticleAccess(grid, request.state);
  access.use('position');
  // Attributes of a pair's neighbour are packed like those of a neighbourhood.
  const role = visit === 'whole' ? 'n' : 'j';
  const n = ir.roles[role] ?? {};
  const scalar = (type: string) => (type === 'real' ? 'f32' : type) as 'f32' | 'i32' | 'u32';
  const array = (field: string) => `n_${wgslMember(field)}`;
  const env: WgslEnv = {
    param: (field) => tables.param(field),
    item: (role, field, index) =>
      role === 'p' ? tables.item(field, index) : `${array(field)}[min(${index}, ${capacity - 1}u)]`,
    writeItem: (_role, field, index, op, value) =>
      `{ let at_ = ${index}; let value_ = ${value}; if (at_ < ${capacity}u) { ${array(field)}[at_] ${op} value_; } }`,
  };
  const lowered = lowerWith(functor, ir, env);
  const use = fieldUse(ir);
  const touched = (field: string) =>
    (use.reads.get(role)?.has(field) || use.writes.get(role)?.has(field)) ?? false;
  const { spec } = functor;
  const packed =
    spec.kind === 'neighbourhood' || spec.kind === 'pair'
      ? Object.keys(spec.neighbour).filter(touched)
      : [];
  const given = Object.keys(spec.kind === 'neighbourhood' ? spec.scatter : {})
    .filter((field) => use.writes.get('n')?.has(field))
    .map((field): Given => ({ field, type: scalar(n[field]!.type), array: array(field) }));
  const stored = given.filter(({ field }) => outputs[field] !== 'total');
  const { pack: filter } = ir;
  const geometry = ['dx', 'dy', 'dz', 'r2'];
  const arrays = [...geometry, ...Object.keys(n).filter((f) => n[f]!.array || role === 'j')];
  const declared = [...new Set(arrays)].filter(
    (field) =>
      touched(field) ||
      given.some((g) => g.field === field) ||
      (visit === 'packed' && geometry.includes(field)),
  );

  const plan = centralText(request, lowered.fields.i, access);
  const totals = totalsOf(lowered.fields.i, given, outputs);
  const own = totals.map(({ result }, k) => `own_${k} = ${packedWgsl(result, `sum_${k}`)};`);
  const usesGiven = stored.length > 0 || pass !== 'all';
  const hasTotals = totals.length > 0;
  const filters = filter ? filterText(functor, filter, env, access) : null;
  const pack =
    visit === 'each'
      ? meetText(lowered, access)
      : packText(packed, declared, given, access, capacity, n, filters !== null);
  const walk = (act: string): string => `var at = index;
    for (var k = 0u; k < listed; k += 4u) {
      let v = entries[at];
      at += P.stride;
      ${[...'xyzw'].map((c) => `${act}xi, ci, v.${c});`).join(' ')}
    }`;
  const begin = `var none: ${lowered.name}_j;
    x = Context();
    ${lowered.name}(&i, none, vec4f());
    x.${STAGE}_ = 1u;`;
  const source: KernelSource = {
    label: functor.name,
    workgroupSize: NEIGHBOURHOOD_LANES,
    buffers: [
      ...access.buffers,
      { name: 'counts', type: 'array<u32>', access: 'read' },
      { name: 'entries', type: 'array<vec4u>', access: 'read' },
      ...(tables.hasTables
        ? [{ name: 'tables', type: 'array<u32>', access: 'read' } as const]
        : []),
      ...(usesGiven
        ? [{ name: 'given', type: 'array<atomic<u32>>', access: 'read_write' } as const]
        : []),
      ...(hasTotals
        ? [{ name: 'partials', type: 'array<vec2u>', access: 'read_write' } as const]
        : []),
    ],
    params: {
      ...frameParams,
      centre: 'vec4f',
      ...access.params,
      ...tables.params,
      rcut2: 'f32',
      first: 'u32',
      end: 'u32',
      count: 'u32',
      firstGroup: 'u32',
      stride: 'u32',
      groups: 'u32',
      one: 'f32',
    },
    declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageWgsl}${access.declarations}
${hasTotals ? treeMemoryWgsl(NEIGHBOURHOOD_LANES, totals.length) + combineWgsl(totals.map(({ result }) => result)) : ''}
struct Buffer { count_: u32, lane_: u32, lanes_: u32 }
var<private> n = Buffer(0u, 0u, 1u);
var<private> n_row: array<u32, ${capacity}>;
${declared.map((field) => `var<private> ${array(field)}: array<${scalar(n[field]?.type ?? 'real')}, ${capacity}>;`).join('\n')}
${visit === 'whole' ? '' : contextText(ir)}
${lowered.structs}
${lowered.functions}
${displacementWgsl}
${filters?.declarations ?? ''}
${pack}
${giveText(stored)}`,
    body: `
  ${totals.map((_, k) => `var own_${k} = vec2u(0u, 0u);`).join('\n  ')}
  let own = P.first + index;
  var fits = own < P.end;
  ${pass === 'rest' ? 'if (fits) { fits = atomicLoad(&given[own]) != 0u; }' : ''}
  if (fits) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = cellParts(place.w);
    let listed = counts[own] & 0x7fffffffu;
    n.count_ = 0u;
    ${filters?.load ?? ''}
    ${
      visit === 'each'
        ? `${plan.load}
    ${begin}
    ${walk('meet(&i, ')}`
        : `${walk('pack(')}
    ${pass === 'first' ? `if (n.count_ > ${capacity}u) { atomicStore(&given[own], 1u); fits = false; }` : `n.count_ = min(n.count_, ${capacity}u);`}
  }
  if (fits) {
    ${plan.load}
    ${visit === 'whole' ? `${lowered.name}(&i);` : `${begin}\n    ${packedText(lowered, packed)}`}`
    }
    ${visit === 'whole' ? '' : `x.${STAGE}_ = 2u; ${lowered.name}(&i, none, vec4f());`}
    ${totals.map(({ text }, k) => text(`sum_${k}`)).join('\n    ')}
    ${own.join('\n    ')}
    ${plan.store}
    ${stored.length > 0 ? 'for (var k = 0u; k < n.count_; k++) { give(n_row[k], k); }' : ''}
  }
  ${
    hasTotals
      ? treeWgsl(
          totals.map(({ result }) => result),
          NEIGHBOURHOOD_LANES,
          'partials',
          'P.groups',
          '(P.firstGroup + group)',
        )
      : ''
  }`,
  };
  return {
    source,
    blocks: access.blocks,
    totals: totals.map(({ result }) => result),
    given: stored,
  };
}

/** Packs a listed neighbour that is within the cutoff; those beyond the capacity are only counted. */
function packText(
  packed: readonly string[],
  declared: readonly string[],
  given: readonly Given[],
  access: ParticleAccess,
  capacity: number,
  n: Readonly<Record<string, { readonly type: string }>>,
  filtered: boolean,
): string {
  const fields = packed.map((field): WgslField => {
    const { type } = n[field]!;
    return {
      field,
      member: wgslMember(field),
      type: (type === 'real' ? 'f32' : type) as WgslField['type'],
      written: false,
    };
  });
  const rows = access.loadRows(fields, 'other', 'row');
  const parts = {
    dx: 'd.x',
    dy: 'd.y',
    dz: 'd.z',
    r2: 'r2',
    ...(filtered ? { weight: 'weight' } : {}),
  };
  const puts = [
    ...Object.entries(parts).map(([name, text]) => [name, text] as const),
    ...fields.map((field) => [field.field, access.value(field, 'other')] as const),
    ...given.map(({ field, type }) => [field, `${type}(0)`] as const),
  ].filter(([name]) => declared.includes(name));
  return `
fn pack(xi: vec3f, ci: vec3f, e: u32) {
  let row = rowOf(e);
  let q = b_position[row];
  var d = between(xi, q, ci - cellParts(q.w) + imageParts(e));
  var r2 = dot(d, d);
  if (r2 >= P.rcut2) { return; }
  ${filtered ? 'var weight = 1.0;\n  if (!passes(row, &d, &r2, &weight)) { return; }' : ''}
  let k = n.count_;
  n.count_ = k + 1u;
  if (k >= ${capacity}u) { return; }
  ${rows}
  n_row[k] = row;
  ${puts.map(([name, text]) => `n_${wgslMember(name)}[k] = ${text};`).join('\n  ')}
}`;
}

interface Total {
  readonly result: DeviceResult;
  /** A statement that declares the sum of one particle. */
  readonly text: (name: string) => string;
}

/** Sums over all particles: of what a particle receives itself, and of what it gives to neighbours. */
function totalsOf(
  fields: readonly WgslField[],
  given: readonly Given[],
  outputs: Readonly<Record<string, OutputTarget>>,
): Total[] {
  const wanted = Object.keys(outputs).filter((name) => /^(total|both)$/.test(outputs[name]!));
  return wanted.flatMap((name): Total[] => {
    const field = fields.find((f) => f.field === name && f.written);
    const gift = given.find((g) => g.field === name);
    const type = field?.type ?? gift?.type;
    if (!type) return [];
    const start = field ? `i.${field.member} - before_${field.member}` : `${type}(0)`;
    const loop = gift ? `for (var k = 0u; k < n.count_; k++) { $ += ${gift.array}[k]; }` : '';
    return [
      {
        result: { name, type, op: 'sum' },
        text: (sum) => `var ${sum} = ${start}; ${loop.replace('$', sum)}`,
      },
    ];
  });
}
