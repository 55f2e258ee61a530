import type { Functor } from '@corpuscle/functor';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { WgslField } from '@corpuscle/functor/wgsl';
import { realText } from '../double/DeviceReals.js';
import { type MarkedFunctor, markedFunctors } from './functorText.js';
import { joinedParts, type KernelPart } from './KernelPart.js';
import type { ParticleAccess } from './ParticleAccess.js';

/** Cell functors in a row. @param mark of their names, see `markedFunctors` */
export function cellPart(
  functors: readonly Functor<'cell'>[],
  access: ParticleAccess,
  mark: string,
): KernelPart {
  return joinedParts(
    markedFunctors('Cell', functors, mark, access.state).map((one) => ({
      tables: [one.tables],
      params: one.tables.params,
      declarations: one.text,
      fields: one.lowered.fields.i,
      particle: callText(one, access),
    })),
  );
}

/** Statements that run one functor on the loaded rows. What it adds to positions goes to the relative vector. */
function callText({ functor, lowered }: MarkedFunctor<'cell'>, access: ParticleAccess): string {
  const kinds =
    functor.spec.wgsl === undefined ? sumOutputs(functor.ir!) : new Map<string, string>();
  const load: string[] = [];
  const store: string[] = [];
  const moves: Record<string, string> = {};
  const move = (field: WgslField, distance: string): void => {
    if (access.strain) moves[access.componentOf(field)] = distance;
    else store.push(access.move(field, 'row', distance));
  };
  for (const field of lowered.fields.i) {
    const member = `i.${field.member}`;
    const real = realText(field.type);
    if (!access.isPosition(field)) {
      load.push(`${member} = ${access.value(field, 'row')};`);
      if (field.written) store.push(access.put(field, 'row', member));
    } else if (field.written && kinds.get(field.field) === 'sum') {
      load.push(`${member} = ${real.zero};`);
      move(field, member);
    } else {
      load.push(`${member} = ${access.value(field, 'row')};`);
      if (field.written) {
        load.push(`let before_${field.member} = ${member};`);
        move(field, real.difference(member, `before_${field.member}`));
      }
    }
  }
  if (Object.keys(moves).length > 0) store.push(access.moveStrained('row', moves));
  return `// ${functor.name}
    {
      var i = ${lowered.name}_i();
      ${load.join('\n      ')}
      ${lowered.name}(&i);
      ${store.join('\n      ')}
    }`;
}
