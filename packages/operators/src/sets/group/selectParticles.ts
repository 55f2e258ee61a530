import { cellFunctor, type ParamSchema, withFunctionText } from '@corpuscle/patterns';
import { isInside, type ParticleView } from '../region/isInside.js';
import type { Region } from '../region/Region.js';
import { regionKernel } from '../region/regionKernel.js';
import { GROUP_MASK } from './Groups.js';

type Numbers = Readonly<Record<string, number>>;

/** Where a region looks for a particle. */
export interface Places {
  /** Statements that make `in_rx`, `in_ry` and `in_rz` of the particle `i`, with parameters `p` and helpers `h`. */
  readonly text: string;
  /** The same on the host. */
  readonly of: (i: Numbers, p: Numbers) => Numbers;
  readonly params: ParamSchema;
  readonly helpers: Readonly<Record<string, (...args: never[]) => unknown>>;
}

/** Where it is, within the box or not. */
const asItIs: Places = {
  text: 'const in_rx = i.rx; const in_ry = i.ry; const in_rz = i.rz;',
  of: () => ({}),
  params: {},
  helpers: {},
};

/**
 * The functor that sets the bit of a group for the particles of a region and clears it for all others, and its parameters.
 * @param bits the bit of the group
 */
export const selectParticles = (region: Region, bits: number) => selectAt(asItIs, region, bits);

/** The same for particles at these places. `isPlaced` tells whether the region asks for them. */
export function selectAt(places: Places, region: Region, bits: number) {
  const { before, condition, read, params, values, isPlaced } = regionKernel(region);
  const { [GROUP_MASK]: _own, ...others } = read;
  const text = `(i, p, h) => {
${isPlaced ? places.text : ''}
${before}
let mask = (i.${GROUP_MASK} & p.others) | 1;
if (${condition}) mask |= p.bits;
i.${GROUP_MASK} = mask >>> 0;
}`;
  const select = (i: Record<string, number>, p: Numbers): void => {
    const mask = (i[GROUP_MASK]! & p.others!) | 1;
    const particle = isPlaced ? { ...i, ...places.of(i, p) } : i;
    i[GROUP_MASK] = (isInside(region, particle as ParticleView) ? mask | p.bits! : mask) >>> 0;
  };
  const functor = cellFunctor(
    {
      name: 'select_particles',
      fields: { [GROUP_MASK]: 'u32' },
      read: others,
      params: {
        ...(isPlaced && places.params),
        ...params,
        ...({ bits: 'u32', others: 'u32' } as const),
      } as ParamSchema,
      helpers: isPlaced ? places.helpers : {},
      traits: { gpu: true },
    },
    withFunctionText(select as never, text),
  );
  return { functor, params: { ...values, bits, others: ~bits >>> 0 }, isPlaced };
}
