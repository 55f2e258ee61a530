import type { WgslField } from '@corpuscle/functor/wgsl';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import type { CentralSums } from './CentralSums.js';
import type { KernelRequest } from './KernelRequest.js';
import { refuseMoves } from './refuseMoves.js';

/** Loading and storing of the particle. Sums start from zero and are added to the field at the end. */
export function centralText(
  { functor, outputs }: KernelRequest,
  members: readonly WgslField[],
  access: ParticleAccess,
  sums: CentralSums,
): { load: string; store: string } {
  const toParticles = ({ field, written }: WgslField) => written && outputs[field] !== 'total';
  const loaded = members.filter(
    (field) => !field.written || (toParticles(field) && !sums.isSum(field)),
  );
  const stored = members.filter(toParticles);
  refuseMoves(functor.name, stored, access);
  const load = [access.loadRows(loaded, 'row', 'own'), `var i: functor_${functor.name}_i;`];
  for (const field of loaded) load.push(`i.${field.member} = ${access.value(field, 'row')};`);
  for (const field of members)
    if (field.written && !sums.isSum(field))
      load.push(`let before_${field.member} = i.${field.member};`);
  const store = [access.loadRows(stored, 'out', 'own')];
  for (const field of stored) {
    store.push(
      sums.isSum(field)
        ? access.add(sums.held(field), 'out', sums.place(field))
        : access.put(field, 'out', `i.${field.member}`),
    );
  }
  store.push(access.storeRows(stored, 'out', 'own'));
  return { load: load.join('\n    '), store: store.join('\n    ') };
}
