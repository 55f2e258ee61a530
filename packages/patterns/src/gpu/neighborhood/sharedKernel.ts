import { wgslMember } from '@corpuscle/functor/wgsl';
import { strainOf } from '../box/DeviceStrain.js';
import { realText, realType, updateText } from '../double/DeviceReals.js';
import { gatheredWgsl } from '../double/PairSums.js';
import { holdOwn } from '../double/pairDoubles.js';
import { packedWgsl } from '../wgsl/reduceWgsl.js';
import { partialsEnd, treeWgsl, wholeTree } from '../wgsl/treeWgsl.js';
import { BufferPlan } from './BufferPlan.js';
import { neighborhoodBindings, neighborhoodHead } from './bindings.js';
import { centralText } from './centralText.js';
import { vectorType } from './displaced.js';
import { filterText } from './filterText.js';
import { gathers, type KernelRequest, type KernelText } from './KernelRequest.js';
import { kernelParts } from './kernelParts.js';
import { type Scattered, scatterDeclarations, scatterStatements } from './scatter.js';
import { type Total, totalsOf, totalType } from './totals.js';

/** Lanes that share a particle. */
const SHARED_LANES = 32;
/** Bytes that every device has for a workgroup. */
const WORKGROUP_BYTES = 16384;

/** Says that the buffer of the longest list does not fit into workgroup memory beside what is summed; null where it does. */
export function whyNotShared(request: KernelRequest): string | null {
  const sums = 8 * SHARED_LANES * (4 + Object.keys(request.ir.roles.i ?? {}).length);
  const bytes = new BufferPlan(request, true).bytes + sums + 1024;
  if (bytes <= WORKGROUP_BYTES) return null;
  return `${request.capacity} neighbors take ${bytes} of ${WORKGROUP_BYTES} bytes of shared memory`;
}

/** What the kernel does, stage by stage. */
const aboutShared = (
  name: string,
): string => `Calls functor '${name}' with the neighbors within the cutoff, a workgroup a particle.
  pack      lanes take entries of the list; a prefix sum tells where neighbors within the cutoff go
  call      the functor runs on all lanes, over the buffer they share
  store     what the lanes add to the particle is summed in a fixed order`;

/**
 * A block of lanes for each particle, with the buffer in workgroup memory. Lanes take four entries of the list each, a prefix
 * sum tells where what they keep goes, so that neighbors stand in the order of the list; the functor runs on all lanes, and
 * what they add to the particle is summed in a fixed order. Shares of neighbors go to their accumulators at once.
 */
export function sharedKernel(request: KernelRequest): KernelText {
  const { capacity } = request;
  const { state, pair } = request.reals;
  const { access, buffer, sums, env, lowered } = kernelParts(request, true);
  const filter = filterText(request, env, access);
  const put = buffer.putText(access, 'at');
  const plan = centralText(request, lowered.fields.i, access, sums);
  const totals = totalsOf(request, lowered.fields.i, buffer.scattered, sums);
  const results = totals.map(({ result }) => result);
  const { stored } = buffer;
  const shares = buffer.scattered.map((to) => shareText(to, totalType(request, to), stored));
  const parts = lowered.fields.i
    .filter(({ written }) => written)
    .map((field) => ({ ...sums.held(field), place: sums.place(field) }));
  const source = {
    label: request.label,
    about: aboutShared(request.functor.name),
    workgroupSize: SHARED_LANES,
    ...neighborhoodBindings(request, access, {
      scattered: stored.length > 0,
      totals: totals.length > 0,
    }),
    declarations: `${neighborhoodHead(request, access, totals, SHARED_LANES)}
var<private> n: Buffer;
var<workgroup> kept: array<u32, ${SHARED_LANES}>;
${buffer.declarations('workgroup')}
${parts.map(({ member, type }) => `var<workgroup> part_${member}: array<${type}, ${SHARED_LANES}>;`).join('\n')}
${gathers(request) ? gatheredWgsl : ''}
${sums.declarations}
${scatterDeclarations(stored)}
${shares.join('')}
${lowered.structs}
${lowered.functions}
${filter.declarations}
struct Candidate { d: ${vectorType(pair)}, weight: ${realType(pair)}, row: u32, near: bool }
fn candidate(xi: vec3f, ci: vec3f, e: u32) -> Candidate {
  let row = rowOf(e);
  var d = displaced(xi, ci, e, b_position[row]);
  var weight = ${filter.weight};
  let near = within(d) && ${filter.keeps};
  return Candidate(d, weight, row, near);
}
fn put(at: u32, c: Candidate) {
  if (at >= ${capacity}u) { return; }
  let row = c.row;
  let d = c.d;
  let weight = c.weight;
  ${put}
}`,
    body: `
  ${strainOf(request.grid) ? 'holdStrain();' : ''}
  let own = P.first + group;
  if (own >= P.end) { return; }
  let place = b_position[own];
  let xi = relative(place);
  let ci = cellParts(place.w);
  let listed = counts[own] & 0x7fffffffu;
  ${state === 'f64' ? holdOwn('own') : ''}
  ${filter.load}
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
  ${totals.map((total, k) => `var own_${k} = ${packedWgsl(total.result, ownText(total))};`).join('\n  ')}
  ${parts.map(({ member, place }) => `part_${member}[lane] = ${place};`).join('\n  ')}
  workgroupBarrier();
  if (lane == 0u) {
    for (var s = 1u; s < ${SHARED_LANES}u; s++) {
      ${parts.map(({ member, type, place }) => updateText(type, place, '+=', `part_${member}[s]`)).join('\n      ')}
    }
    ${plan.store}
  }
  ${results.length > 0 ? treeWgsl(results, wholeTree(SHARED_LANES), partialsEnd('partials', 'P.groups', '(P.firstGroup + group)')) : ''}`,
  };
  return { source, blocks: access.blocks, totals: results, scattered: stored };
}

const totalOf = (field: string): string => `total_${wgslMember(field)}`;

/** What one lane adds to a total. */
function ownText({ result, own, scatter }: Total): string {
  const scattered = scatter && totalOf(scatter.field);
  if (own === null || scattered === null) return own ?? scattered!;
  const { type } = result;
  return type === 'vec2f' ? realText(type).sum(own, scattered) : `${own} + ${scattered}`;
}

/** `share_<field>(at, value)`: adds to neighbor `at`, and adds to a lane's own part of the total. */
function shareText(
  scatter: Scattered,
  total: Scattered['type'],
  stored: readonly Scattered[],
): string {
  const { field, type } = scatter;
  const sum = totalOf(field);
  const add =
    total === type ? updateText(type, sum, '+=', 'value') : `${sum} = gathered(${sum}, value);`;
  const store = stored.includes(scatter)
    ? scatterStatements(stored, 'n_row[at]', [{ of: scatter, value: 'value' }])
    : '';
  return `
var<private> ${sum}: ${total};
fn share_${wgslMember(field)}(at: u32, value: ${type}) {
  ${add}
  ${store}
}`;
}
