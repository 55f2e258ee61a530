import type { Functor } from '@corpuscle/functor';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { ListedSweeps } from '../allPairs/listedSweep.js';
import { strainText } from '../box/strainText.js';
import { updateText } from '../double/DeviceReals.js';
import type { PairSums } from '../double/PairSums.js';
import { differenceWgsl, holdOwn } from '../double/pairDoubles.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import { addThreads, threadPlaces } from './addThreads.js';
import { type KernelPart, LANES } from './KernelPart.js';
import type { ParticleAccess } from './ParticleAccess.js';
import type { PairKernelRequest } from './pairKernel.js';
import type { MomentsText } from './pairMoments.js';
import {
  chunkText,
  displacementWgsl,
  loopText,
  meetNearText,
  meetText,
  shortLoopText,
} from './pairWalk.js';

/** What the parts of the text are made of. */
export interface PairTextParts {
  readonly access: ParticleAccess;
  readonly sums: PairSums;
  /** Statements that load and store the rows of the particle. */
  readonly plan: { readonly load: string; readonly store: string };
  /** The function `call`. */
  readonly call: string;
  readonly moments: MomentsText;
  /** Statements that keep what goes to totals. */
  readonly own: readonly string[];
  /** Whether the thread stores a particle's sums. */
  readonly isMine: string;
  readonly following: KernelPart;
  /** Sweeps over all pairs among these. */
  readonly swept: ListedSweeps | null;
  /** Totals, and reductions after them. */
  readonly ends: KernelPart;
}

/** Functions of the functor, of the walk and of what follows. */
export function declarationsText(
  request: PairKernelRequest,
  { access, sums, call, following, swept, ends, moments }: PairTextParts,
): string {
  const { functor, lowered, form, orthorhombic, lanes, reals } = request;
  const isDouble = reals.state === 'f64';
  const isLong = reals.pair === 'f64';
  return `${cellWgsl}${cellVectorWgsl(orthorhombic)}${strainText(access.strain, true)}${access.declarations}
${ends.declarations}

// Pair functor ${functor.name}: fields of the particle i, fields of the neighbor j.
${lowered.structs}
${lowered.functions}

${displacementWgsl(request.format)}${isDouble ? differenceWgsl(reals.pair, orthorhombic, access.strain !== undefined) : ''}
${sums.declarations}${moments.declarations}
${following.declarations}

// The functor for one neighbor within reach.${call}
${form === 'buffered' ? chunkText(request) : ''}
${isLong ? meetNearText(request) : meetText(request, null, swept) + meetText(request, moments, swept)}
${lanes > 1 ? `var<workgroup> threadSums: array<${sums.type}, ${threadPlaces(lanes)}>;` : ''}`;
}

/** The walk, and what is done with the sums. */
export function bodyText(
  request: PairKernelRequest,
  { access, sums, plan, own, isMine, following, swept, ends, moments }: PairTextParts,
): string {
  const { lowered, form, lanes, reals } = request;
  const buffered = form === 'buffered';
  const particles = LANES / lanes;
  return `
  // The particle of this thread.
  ${ends.before}
  ${lanes > 1 ? `let slot = group * ${particles}u + lane % ${particles}u;` : 'let slot = index;'}
  ${lanes > 1 ? `let thread = lane / ${particles}u;` : ''}
  let own = P.first + slot;
  ${following.before}${access.strain ? 'holdStrain();' : ''}
  var i = ${lowered.name}_i();${moments.begin && `\n  ${moments.begin}`}
  if (own < P.end) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = cellParts(place.w);
    ${reals.state === 'f64' ? holdOwn('own') : ''}
    ${lowered.before}
    ${plan.load}
    ${swept?.load ?? ''}
    ${buffered ? 'var chunk = Chunk();' : ''}
    // Walk along its list; the next vector of four entries is on the way while this one is worked on.
    let word = counts[own];
    let listed = word & 0x7fffffffu;
    ${
      reals.pair === 'f64'
        ? shortLoopText(request)
        : `// No neighbor of particles nearby is a periodic image: entries are rows.
    if (word == listed) {${loopText(request, true, swept)}
    } else { // entries tell row and image${loopText(request, false, swept)}
    }`
    }
    ${buffered ? 'flush(&i, &chunk);' : ''}
    ${sums.afterAll}
  }
  ${lanes > 1 ? sharesText(lowered, sums, lanes, { moments, swept }) : ''}
  // Store what the particle received.
  if (${isMine}) {
    ${own.join('\n    ')}
    ${plan.store}
    ${following.particle}
  }
  ${following.workgroup}
  ${ends.workgroup}`;
}

/** What a pair kernel does, stage by stage. */
export function aboutPairs(request: PairKernelRequest): string {
  const { functor, ir, form, lanes, fusedCells, reals, outputs, fresh } = request;
  const isGeneral =
    functor.spec.wgsl === undefined && [...sumOutputs(ir).values()].some((kind) => kind !== 'sum');
  const totals = Object.keys(outputs).filter((name) => /^(total|both)$/.test(outputs[name]!));
  const namesOf = (all: readonly Functor[] = []) => all.map(({ name }) => name).join(', ');
  const fused = namesOf(fusedCells?.functors);
  const swept = namesOf(fusedCells?.sweeps.map((sweep) => sweep.functor));
  const sums = namesOf(fusedCells?.sums);
  return [
    `Calls pair functor '${functor.name}' for every neighbor within the cutoff; ${lanes > 1 ? `${lanes} threads share a particle` : 'one thread a particle'}.`,
    ...(reals.pair === 'f64' ? ['Reals are pairs of floats (high, low).'] : []),
    `  list      four entries of the particle's list at a time`,
    form === 'buffered'
      ? '  keep      neighbors within the cutoff go to a buffer; the functor runs over it when it is full'
      : '  meet      displacement to the nearest image, cutoff, functor',
    ...(lanes > 1 ? ['  combine   what the threads of a particle have found is added up'] : []),
    isGeneral
      ? '  store     outputs are read from the rows of the particle before, and written back'
      : fresh.size > 0
        ? `  store     sums overwrite the particle's rows of ${[...fresh].join(', ')}, which a call before would have cleared`
        : '  store     sums are added to the rows of the particle',
    ...(totals.length > 0 ? [`  total     sums over all particles: ${totals.join(', ')}`] : []),
    ...(fused ? [`  then      the cell functors that follow run on the same rows: ${fused}`] : []),
    ...(swept ? [`  sweep     on the same walk, ${swept} for the near ones of all pairs`] : []),
    ...(sums
      ? [`  reduce    reduce functors leave a partial result of the workgroup: ${sums}`]
      : []),
    ...(fusedCells?.notes
      ? ['  note      the largest displacement since the lists were built']
      : []),
    ...(fusedCells?.bin
      ? ['  bin       the particle is counted in its new cell, the first step of a sort']
      : []),
  ].join('\n');
}

export function labelOf({ functor, fusedCells }: PairKernelRequest): string {
  const { functors = [], sweeps = [], sums = [] } = fusedCells ?? {};
  const swept = sweeps.map((sweep) => sweep.functor);
  const names = [functor, ...functors, ...swept, ...sums].map(({ name }) => name);
  const ends = [
    ...(fusedCells?.notes ? ['displacement'] : []),
    ...(fusedCells?.bin ? ['bin'] : []),
  ];
  return [...names, ...ends].join(' + ');
}

/** Adds what the other threads of a particle have found. */
function sharesText(
  lowered: LoweredWgsl,
  { variable, stored }: PairSums,
  lanes: number,
  { moments, swept }: Pick<PairTextParts, 'moments' | 'swept'>,
): string {
  const written = lowered.fields.i.filter((field) => field.written).map(stored);
  const add = ({ member, type }: WgslField, place: string) =>
    updateText(type, `${variable}.${member}`, '+=', `threadSums[${place}].${member}`);
  return addThreads(lanes, {
    leave: (place) =>
      [`threadSums[${place}] = ${variable};`, moments.leave(place), swept?.leave(place)]
        .join(' ')
        .trim(),
    add: (place) =>
      [...written.map((field) => add(field, place)), moments.add(place), swept?.add(place)]
        .filter(Boolean)
        .join('\n      '),
  });
}
