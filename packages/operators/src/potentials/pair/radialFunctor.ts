import { pairFunctor, withFunctionText } from '@corpuscle/patterns';
import { windows } from './cutoffSwitch.js';
import { directCall } from './directCall.js';
import { forceOutputs, virials } from './pairOutputs.js';
import {
  helperName,
  layerNames,
  type RadialFunctor,
  type RadialLayer,
  type RadialParams,
  tableNames,
} from './radialLayer.js';
import { radialText } from './radialText.js';

/**
 * The functor of potentials that are given by u(r) and −u′(r); their sum where there are several. The cutoff may shift them:
 *
 *   u_shifted(r) = u(r) − offset − slope · r        force shift: slope = u′(rcut), offset = u(rcut) − rcut · u′(rcut)
 *
 * or a window switches them off (`cutoffSwitch.ts`). Energy and force are functions of their own, so that steps that need forces
 * only do not compute the energy. The text that is compiled is written for these layers: kernels know no lists of arguments.
 */
export function radialFunctor(name: string, layers: readonly RadialLayer[]): RadialFunctor {
  const alone = layers.length === 1;
  const names = layers.map((layer, n) => layerNames(layer, alone ? null : n));
  const tables = layers.flatMap((layer, n) => tableNames(layer, names[n]!));
  const params = {
    types: 'u32',
    ...(alone ? {} : { rcut2: 'real[]' }),
    ...Object.fromEntries(tables.map((table) => [table, 'real[]'])),
  } as RadialParams;
  const helpers = Object.fromEntries(
    layers.flatMap(({ form, switching }, n) => {
      const own = (helper: string) => helperName(helper, alone ? null : n);
      const { energy, force } = form;
      const functions = { energy, force };
      if (switching === 'none') return Object.entries(functions).map(([k, f]) => [own(k), f]);
      const { at, force: switchedForce, energy: switchedEnergy } = windows[switching];
      const all = { ...functions, at, switchedForce, switchedEnergy };
      return Object.entries(all).map(([k, f]) => [own(k), f]);
    }),
  );
  const charges = layers.some(({ form }) => form.charges);
  const fields = charges ? ({ type: 'u32', charge: 'real' } as const) : ({ type: 'u32' } as const);
  const text = radialText(layers, names);
  const functor = pairFunctor(
    {
      name,
      central: forceOutputs,
      derived: virials,
      read: fields as { type: 'u32' },
      neighbor: fields as { type: 'u32' },
      params,
      helpers,
      traits: { newton3: true },
    },
    withFunctionText(directCall(layers, names) as never, text),
  );
  return functor as unknown as RadialFunctor;
}
