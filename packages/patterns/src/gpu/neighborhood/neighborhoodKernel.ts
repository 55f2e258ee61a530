import { strainOf } from '../box/DeviceStrain.js';
import { realText, updateText } from '../double/DeviceReals.js';
import { gatheredWgsl } from '../double/PairSums.js';
import { holdOwn } from '../double/pairDoubles.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { packedWgsl } from '../wgsl/reduceWgsl.js';
import { partialsEnd, treeWgsl, wholeTree } from '../wgsl/treeWgsl.js';
import { MARKS } from './accumulators.js';
import type { BufferPlan } from './BufferPlan.js';
import { neighborhoodBindings, neighborhoodHead } from './bindings.js';
import { centralText } from './centralText.js';
import { contextText, eachText, packedText, visitText } from './contextText.js';
import { type FilterText, filterText } from './filterText.js';
import { gathers, type KernelRequest, type KernelText } from './KernelRequest.js';
import { kernelParts } from './kernelParts.js';
import { scatterAllText, scatterText } from './scatter.js';
import { type Total, totalsOf } from './totals.js';

export const NEIGHBORHOOD_LANES = 64;

/**
 * One thread a particle: its neighbors within the cutoff are packed into private memory, the functor runs over them, and
 * what it gave to neighbors is added to their accumulators, in whole numbers: the order does not matter.
 *
 *   column of the list ──► r2 < rcut² ──► n_row n_dx n_dy n_dz n_r2 n_type …  ──► functor ──► row,   n_fx ──► scattered[n_row]
 *
 * The functor is called at one place of the text: compilers copy it to each, and in double-single it is long.
 */
export function neighborhoodKernel(request: KernelRequest): KernelText {
  const { ir, capacity, pass, visit } = request;
  const { state, pair } = request.reals;
  const { access, buffer, sums, env, lowered } = kernelParts(request, false);
  const plan = centralText(request, lowered.fields.i, access, sums);
  const totals = totalsOf(request, lowered.fields.i, buffer.scattered, sums);
  const results = totals.map(({ result }) => result);
  const filter = filterText(request, env, access);
  const isEach = visit === 'each';
  const pack = isEach
    ? visitText(lowered, access, pair)
    : packText(buffer, access, capacity, filter);
  const { stored } = buffer;
  const run = isEach
    ? ''
    : visit === 'whole'
      ? `${lowered.name}(&i);`
      : `x = Context();\n    ${packedText(lowered, buffer, pair)}`;
  const noteThoseThatDoNotFit = `if (n.count_ > ${capacity}u) { atomicOr(&scattered[own], ${MARKS.doesNotFit}u); fits = false; }`;
  const source = {
    label: request.label,
    about: `Calls functor '${request.functor.name}' with the neighbors within the cutoff, one thread a particle.
${
  isEach
    ? '  visit     the functor runs for each neighbor as it is found'
    : '  pack      neighbors within the cutoff go to a buffer, as far as filters let them\n  call      the functor runs over the buffer'
}
  store     what the particle received goes to its rows${stored.length > 0 ? '\n  scatter   what neighbors received is added in whole numbers: the order of additions does not matter' : ''}`,
    workgroupSize: NEIGHBORHOOD_LANES,
    ...neighborhoodBindings(request, access, {
      scattered: stored.length > 0 || pass !== 'all',
      totals: totals.length > 0,
    }),
    declarations: `${neighborhoodHead(request, access, totals, NEIGHBORHOOD_LANES)}
var<private> n = Buffer(0u, 0u, 1u);
${isEach ? '' : buffer.declarations('private')}
${gathers(request) ? gatheredWgsl : ''}
${sums.declarations}
${visit === 'whole' ? '' : contextText(ir, pair)}
${lowered.structs}
${lowered.functions}
${filter.declarations}
${pack}
${scatterText(stored)}`,
    body: `
  ${totals.map((_, k) => `var own_${k} = vec2u(0u, 0u);`).join('\n  ')}
  ${strainOf(request.grid) ? 'holdStrain();' : ''}
  let own = P.first + index;
  var fits = own < P.end;
  ${pass === 'rest' ? `if (fits) { fits = (atomicLoad(&scattered[own]) & ${MARKS.doesNotFit}u) != 0u; }` : ''}
  if (fits) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = cellParts(place.w);
    let listed = counts[own] & 0x7fffffffu;
    ${state === 'f64' ? holdOwn('own') : ''}
    ${filter.load}
    ${
      isEach
        ? `${plan.load}
    x = Context();${eachText}`
        : `${walkText}
    ${pass === 'first' ? noteThoseThatDoNotFit : `n.count_ = min(n.count_, ${capacity}u);`}
  }
  if (fits) {
    ${plan.load}
    ${run}`
    }
    ${totals.map(totalText).join('\n    ')}
    ${plan.store}
    ${scatterAllText(stored)}
  }
  ${totals.length > 0 ? treeWgsl(results, wholeTree(NEIGHBORHOOD_LANES), partialsEnd('partials', 'P.groups', '(P.firstGroup + group)')) : ''}`,
  };
  return { source, blocks: access.blocks, totals: results, scattered: stored };
}

/** The walk along the list: positions of four neighbors are on their way at once. */
const walkText = `var at = index;
    for (var k = 0u; k < listed; k += 4u) {
      let v = entries[at];
      at += P.stride;
      ${[...'xyzw'].map((c) => `let q_${c} = b_position[rowOf(v.${c})];`).join(' ')}
      ${[...'xyzw'].map((c) => `pack(xi, ci, v.${c}, q_${c});`).join(' ')}
    }`;

/** Packs a listed neighbor that is within the cutoff; those beyond the capacity are only counted. */
function packText(
  buffer: BufferPlan,
  access: ParticleAccess,
  capacity: number,
  filter: FilterText,
): string {
  return `
fn pack(xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let row = rowOf(e);
  var d = displaced(xi, ci, e, q);
  var weight = ${filter.weight};
  if (!(within(d) && ${filter.keeps})) { return; }
  let k = n.count_;
  n.count_ = k + 1u;
  if (k >= ${capacity}u) { return; }
  ${buffer.putText(access, 'k')}
}`;
}

/** The share of one particle in a total. */
function totalText({ result, own, scatter }: Total, k: number): string {
  const { type } = result;
  const zero = type === 'vec2f' ? realText(type).zero : `${type}(0)`;
  const scattered = `${scatter?.array}[k]`;
  const add =
    scatter?.type === type
      ? updateText(type, `sum_${k}`, '+=', scattered)
      : `sum_${k} = gathered(sum_${k}, ${scattered});`;
  return `var sum_${k} = ${own ?? zero};
    ${scatter ? `for (var k = 0u; k < n.count_; k++) { ${add} }` : ''}
    own_${k} = ${packedWgsl(result, `sum_${k}`)};`;
}
