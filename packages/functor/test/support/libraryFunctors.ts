import { cellFunctor } from '../../src/cellFunctor.js';
import type { Functor } from '../../src/Functor.js';

const fields = { u: 'real' } as const;
const read = { x: 'real', y: 'real' } as const;

/** Functions of the library, each as a functor that computes `u` from `x` (and `y`). */
export const libraryFunctors = {
  atan: cellFunctor({ name: 'atan_', fields, read }, (i) => {
    i.u = Math.atan(i.x);
  }),
  atan2: cellFunctor({ name: 'atan2_', fields, read }, (i) => {
    i.u = Math.atan2(i.y, i.x);
  }),
  asin: cellFunctor({ name: 'asin_', fields, read }, (i) => {
    i.u = Math.asin(i.x);
  }),
  acos: cellFunctor({ name: 'acos_', fields, read }, (i) => {
    i.u = Math.acos(i.x);
  }),
  sinh: cellFunctor({ name: 'sinh_', fields, read }, (i) => {
    i.u = Math.sinh(i.x);
  }),
  cosh: cellFunctor({ name: 'cosh_', fields, read }, (i) => {
    i.u = Math.cosh(i.x);
  }),
  erf: cellFunctor({ name: 'erf_', fields, read }, (i, _p, h) => {
    i.u = h.erf(i.x);
  }),
  erfc: cellFunctor({ name: 'erfc_', fields, read }, (i, _p, h) => {
    i.u = h.erfc(i.x);
  }),
  isNaN: cellFunctor({ name: 'isNaN_', fields, read }, (i) => {
    i.u = Number.isNaN(i.x) ? 1 : 0;
  }),
  isFinite: cellFunctor({ name: 'isFinite_', fields, read }, (i) => {
    i.u = Number.isFinite(i.x) ? 1 : 0;
  }),
} satisfies Record<string, Functor>;

export type LibraryName = keyof typeof libraryFunctors;
