import type { WgslField } from '@corpuscle/functor/wgsl';
import { realText } from '../double/DeviceReals.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import type { CentralSums } from './CentralSums.js';
import { gathers, type KernelRequest } from './KernelRequest.js';
import type { Scattered } from './scatter.js';

/** A sum over all particles: of what a particle receives itself, and of what its neighbors receive from it. */
export interface Total {
  readonly result: DeviceResult;
  /** What the particle receives; null where the output is for neighbors alone. */
  readonly own: string | null;
  readonly scatter: Scattered | null;
}

/** The totals that a call wants of what a functor computes. */
export function totalsOf(
  request: KernelRequest,
  members: readonly WgslField[],
  scattered: readonly Scattered[],
  sums: CentralSums,
): Total[] {
  const { outputs } = request;
  const wanted = Object.keys(outputs).filter((name) => /^(total|both)$/.test(outputs[name]!));
  return wanted.flatMap((name): Total[] => {
    const member = members.find((f) => f.field === name && f.written);
    const scatter = scattered.find((g) => g.field === name) ?? null;
    const field = member && sums.held(member);
    const type = field?.type ?? (scatter && totalType(request, scatter));
    if (!type) return [];
    const own = !member ? null : sums.isSum(member) ? sums.place(member) : gained(member);
    return [{ result: { name, type, op: 'sum' }, own, scatter }];
  });
}

/** The type of the sum of what neighbors receive. */
export const totalType = (request: KernelRequest, { type }: Scattered): Scattered['type'] =>
  gathers(request) && type === 'f32' ? 'vec2f' : type;

const gained = ({ member, type }: WgslField): string =>
  realText(type).difference(`i.${member}`, `before_${member}`);
