import type { WgslField } from '@corpuscle/functor/wgsl';
import { realText } from '../double/DeviceReals.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import type { CentralSums } from './CentralSums.js';
import type { Given } from './given.js';
import { gathers, type KernelRequest } from './KernelRequest.js';

/** A sum over all particles: of what a particle receives itself, and of what it gives to neighbors. */
export interface Total {
  readonly result: DeviceResult;
  /** What the particle receives; null where the output is for neighbors alone. */
  readonly own: string | null;
  readonly gift: Given | null;
}

/** The totals that a call wants of what a functor computes. */
export function totalsOf(
  request: KernelRequest,
  members: readonly WgslField[],
  given: readonly Given[],
  sums: CentralSums,
): Total[] {
  const { outputs } = request;
  const wanted = Object.keys(outputs).filter((name) => /^(total|both)$/.test(outputs[name]!));
  return wanted.flatMap((name): Total[] => {
    const member = members.find((f) => f.field === name && f.written);
    const gift = given.find((g) => g.field === name) ?? null;
    const field = member && sums.held(member);
    const type = field?.type ?? (gift && totalType(request, gift));
    if (!type) return [];
    const own = !member ? null : sums.isSum(member) ? sums.place(member) : gained(member);
    return [{ result: { name, type, op: 'sum' }, own, gift }];
  });
}

/** The type of the sum of what is given. */
export const totalType = (request: KernelRequest, { type }: Given): Given['type'] =>
  gathers(request) && type === 'f32' ? 'vec2f' : type;

const gained = ({ member, type }: WgslField): string =>
  realText(type).difference(`i.${member}`, `before_${member}`);
