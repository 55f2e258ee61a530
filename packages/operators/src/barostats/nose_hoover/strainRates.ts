import { type BarostatCoupling, coupledAxes, movedBy } from '../../box/coupling.js';

/** Lengths of a box, and its shears. */
export const axes = ['xx', 'yy', 'zz'] as const;
export const shears = ['xy', 'xz', 'yz'] as const;
export type Axis = (typeof axes)[number];

/** Strain rates that move. */
export const drivenIn: (coupling: BarostatCoupling) => readonly string[] = movedBy;
/**
 * Strain rates that are independent: those of axes that go together are one. `fix npt` of LAMMPS counts them all, by which its box has
 * 3/2 of the kinetic energy it should have with two axes together, and volumes fluctuate too much.
 */
export const freedomOf = (coupling: BarostatCoupling): number =>
  drivenIn(coupling).filter((rate) => !isFollower(coupling, rate)).length;
const isFollower = (coupling: BarostatCoupling, rate: string) =>
  rate[0] === rate[1] && leaderOf(coupling, rate as Axis) !== rate;
/** The first of the axes whose lengths change as this one does: what it has is that of the others. */
export const leaderOf = (coupling: BarostatCoupling, axis: Axis): Axis => {
  const [first] = coupledAxes(coupling)[axes.indexOf(axis)]!;
  return first ? axes['xyz'.indexOf(first)]! : axis;
};
/** What of the kinetic tensor is measured: see `partsOf`. */
export const measuredIn = (coupling: BarostatCoupling): readonly string[] => {
  if (coupling === 'iso') return ['xx'];
  return coupling === 'triclinic' ? [...axes, ...shears] : axes;
};
/** Whether lengths move each for itself, and not all of them. */
export const movesSome = (coupling: BarostatCoupling): boolean =>
  lengthsIn(coupling).length < 3 && coupledAxes(coupling).every((axes) => axes.length < 2);
/** Lengths of the box that move. */
export const lengthsIn = (coupling: BarostatCoupling): readonly Axis[] =>
  axes.filter((a) => drivenIn(coupling).includes(a));
