import { fieldUse } from '../../functor/passes/fieldUse.js';
import type { WgslEnv, WgslField } from '../../lower/wgsl/WgslEnv.js';
import { wgslMember } from '../../lower/wgsl/wgslNames.js';
import type { KernelSource } from '../device/GpuKernel.js';
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
import { filterText } from './filterText.js';
import { type Given, giveRealText, giveStatement, wordsAt } from './given.js';
import type { NeighbourhoodKernelRequest, NeighbourhoodKernelText } from './neighbourhoodKernel.js';

/** Lanes that share a particle. */
export const SHARED_LANES = 32;
/** Bytes that every device has for a workgroup. */
const WORKGROUP_BYTES = 16384;

const scalar = (type: string) => (type === 'real' ? 'f32' : type) as 'f32' | 'i32' | 'u32';

/** Whether the buffer of the longest list fits into workgroup memory beside what is summed. */
export function fitsShared({ ir, capacity }: NeighbourhoodKernelRequest): boolean {
  const arrays = Object.values(ir.roles.n ?? {}).filter((field) => field.array && !field.collects);
  const sums = 8 * SHARED_LANES * (4 + Object.keys(ir.roles.i ?? {}).length);
  return 4 * capacity * (1 + arrays.length) + sums + 1024 <= WORKGROUP_BYTES;
}

/**
 * A block of lanes for each particle, with the buffer in workgroup memory. Lanes take four entries of the list each, a prefix
 * sum tells where what they keep goes, so that neighbours stand in the order of the list; the functor runs on all lanes, and
 * what they add to the particle is summed in a fixed order. Shares of neighbours go to their accumulators at once.
 */
export function sharedKernel(request: NeighbourhoodKernelRequest): NeighbourhoodKernelText {
  const { functor, ir, tables, grid, outputs, orthorhombic, capacity } = request;
  const access = new ParticleAccess(grid, request.state);
  access.use('position');
  const n = ir.roles.n ?? {};
  const use = fieldUse(ir);
  const touched = (field: string) =>
    use.reads.get('n')?.has(field) === true || use.writes.get('n')?.has(field) === true;
  const array = (field: string) => `n_${wgslMember(field)}`;
  const given = Object.keys(n)
    .filter((field) => n[field]!.collects && touched(field))
    .map((field): Given => ({ field, type: scalar(n[field]!.type), array: array(field) }));
  const stored = given.filter(({ field }) => outputs[field] !== 'total');
  const env: WgslEnv = {
    param: (field) => tables.param(field),
    item: (role, field, index) =>
      role === 'p' ? tables.item(field, index) : `${array(field)}[min(${index}, ${capacity - 1}u)]`,
    writeItem(_role, field, index, op, value) {
      const act = n[field]!.collects
        ? `share_${wgslMember(field)}(at_, ${op === '-=' ? '-' : ''}value_);`
        : `${array(field)}[at_] ${op} value_;`;
      return `{ let at_ = ${index}; let value_ = ${value}; if (at_ < ${capacity}u) { ${act} } }`;
    },
  };
  const lowered = lowerWith(functor, ir, env);
  const declared = Object.keys(n).filter(
    (field) => n[field]!.array && !n[field]!.collects && touched(field),
  );
  const filter = ir.pack ? filterText(functor, ir.pack, env, access) : null;
  const plan = centralText(request, lowered.fields.i, access);
  const written = lowered.fields.i.filter((field) => field.written);
  const packed = declared
    .filter((field) => functor.spec.kind === 'neighbourhood' && field in functor.spec.neighbour)
    .map(
      (field): WgslField => ({
        field,
        member: wgslMember(field),
        type: scalar(n[field]!.type),
        written: false,
      }),
    );
  const rows = access.loadRows(packed, 'other', 'row');
  const geometry = { dx: 'd.x', dy: 'd.y', dz: 'd.z', r2: 'r2', weight: 'weight' };
  const puts = [
    ...Object.entries(geometry),
    ...packed.map((field) => [field.field, access.value(field, 'other')] as const),
  ].filter(([field]) => declared.includes(field));
  const totals = Object.keys(outputs)
    .filter((name) => /^(total|both)$/.test(outputs[name]!))
    .flatMap((name) => {
      const own = written.find((field) => field.field === name);
      const gift = given.find((g) => g.field === name);
      const type = own?.type ?? gift?.type;
      if (!type) return [];
      const parts = [own ? `i.${own.member}` : '', gift ? `total_${wgslMember(name)}` : ''];
      const result: DeviceResult = { name, type, op: 'sum' };
      return [{ result, text: parts.filter(Boolean).join(' + ') }];
    });
  const results = totals.map(({ result }) => result);
  const shares = given.map((gift) => {
    const { field, type } = gift;
    const k = stored.indexOf(gift);
    const give = giveStatement(gift, wordsAt(k, 'n_row[at]'), 'value');
    return `
var<private> total_${wgslMember(field)}: ${type};
fn share_${wgslMember(field)}(at: u32, value: ${type}) {
  total_${wgslMember(field)} += value;
  ${k >= 0 ? give : ''}
}`;
  });
  const source: KernelSource = {
    label: functor.name,
    workgroupSize: SHARED_LANES,
    buffers: [
      ...access.buffers,
      { name: 'counts', type: 'array<u32>', access: 'read' },
      { name: 'entries', type: 'array<vec4u>', access: 'read' },
      ...(tables.hasTables
        ? [{ name: 'tables', type: 'array<u32>', access: 'read' } as const]
        : []),
      ...(stored.length > 0
        ? [{ name: 'given', type: 'array<atomic<u32>>', access: 'read_write' } as const]
        : []),
      ...(results.length > 0
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
${results.length > 0 ? treeMemoryWgsl(SHARED_LANES, results.length) + combineWgsl(results) : ''}
struct Buffer { count_: u32, lane_: u32, lanes_: u32 }
var<private> n: Buffer;
var<workgroup> kept: array<u32, ${SHARED_LANES}>;
var<workgroup> n_row: array<u32, ${capacity}>;
${declared.map((field) => `var<workgroup> ${array(field)}: array<${scalar(n[field]!.type)}, ${capacity}>;`).join('\n')}
${written.map(({ member, type }) => `var<workgroup> part_${member}: array<${type}, ${SHARED_LANES}>;`).join('\n')}
${stored.length > 0 ? giveRealText : ''}
${shares.join('')}
${lowered.structs}
${lowered.functions}
${displacementWgsl}
${filter?.declarations ?? ''}
struct Candidate { d: vec3f, r2: f32, weight: f32, row: u32, near: bool }
fn candidate(xi: vec3f, ci: vec3f, e: u32) -> Candidate {
  let row = rowOf(e);
  let q = b_position[row];
  var d = between(xi, q, ci - cellParts(q.w) + imageParts(e));
  var r2 = dot(d, d);
  var weight = 1.0;
  var near = r2 < P.rcut2;
  ${filter ? 'if (near) { near = passes(row, &d, &r2, &weight); }' : ''}
  return Candidate(d, r2, weight, row, near);
}
fn put(at: u32, c: Candidate) {
  if (at >= ${capacity}u) { return; }
  let row = c.row;
  let d = c.d;
  let r2 = c.r2;
  let weight = c.weight;
  ${rows}
  n_row[at] = row;
  ${puts.map(([field, text]) => `${array(field)}[at] = ${text};`).join('\n  ')}
}`,
    body: `
  let own = P.first + group;
  if (own >= P.end) { return; }
  let place = b_position[own];
  let xi = relative(place);
  let ci = cellParts(place.w);
  let listed = counts[own] & 0x7fffffffu;
  ${filter?.load ?? ''}
  var found = 0u;
  for (var first = 0u; first < listed; first += ${4 * SHARED_LANES}u) {
    let k = first + 4u * lane;
    var seen: array<Candidate, 4>;
    var near = 0u;
    if (k < listed) {
      let v = entries[(k >> 2u) * P.stride + group];
      for (var s = 0u; s < 4u; s++) {
        seen[s] = candidate(xi, ci, v[s]);
        near += select(0u, 1u, seen[s].near);
      }
    }
    kept[lane] = near;
    workgroupBarrier();
    var at = found;
    for (var s = 0u; s < ${SHARED_LANES}u; s++) {
      if (s < lane) { at += kept[s]; }
      found += kept[s];
    }
    for (var s = 0u; s < 4u; s++) {
      if (seen[s].near) { put(at, seen[s]); at++; }
    }
    workgroupBarrier();
  }
  n = Buffer(min(found, ${capacity}u), lane, ${SHARED_LANES}u);
  ${plan.load}
  ${lowered.name}(&i);
  ${totals.map(({ result, text }, k) => `var own_${k} = ${packedWgsl(result, text)};`).join('\n  ')}
  ${written.map(({ member }) => `part_${member}[lane] = i.${member};`).join('\n  ')}
  workgroupBarrier();
  if (lane == 0u) {
    for (var s = 1u; s < ${SHARED_LANES}u; s++) {
      ${written.map(({ member }) => `i.${member} += part_${member}[s];`).join('\n      ')}
    }
    ${plan.store}
  }
  ${results.length > 0 ? treeWgsl(results, SHARED_LANES, 'partials', 'P.groups', '(P.firstGroup + group)') : ''}`,
  };
  return { source, blocks: access.blocks, totals: results, given: stored };
}
