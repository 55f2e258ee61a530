import type { Batch } from '../Draft.js';
import { type Input, nameHere } from './Input.js';
import { type Msp, plain } from './readMsp.js';

/** Parameters by their names there and here. */
interface Force {
  readonly operator: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const LJ: Force = {
  operator: 'lennard_jones_force',
  parameters: { epsilon: 'epsilon', sigma: 'sigma' },
};
const FORCES: Readonly<Record<string, Force>> = {
  lennard_jones: LJ,
  lj: LJ,
  buckingham: {
    operator: 'buckingham_force',
    parameters: { A: 'A', Rho: 'rho', rho: 'rho', C: 'C' },
  },
  yukawa: { operator: 'yukawa_force', parameters: { A: 'A', Kappa: 'kappa', kappa: 'kappa' } },
  coul_cut: { operator: 'coulomb_cut_force', parameters: { dielectric: 'dielectric' } },
  coul_wolf_pair: { operator: 'coulomb_wolf_force', parameters: { alpha: 'alpha' } },
  sutton_chen: {
    operator: 'sutton_chen_force',
    parameters: { c: 'c', epsilon: 'epsilon', a0: 'a', a: 'a', n: 'n', m: 'm' },
  },
};

/** `lj` of `lj_compute_force_symetric`. */
const kindOf = (name: string): string | undefined =>
  /^(.*?)(_multimat)?(_compute)?_force(_symetric)?(_xform)?$/.exec(name)?.[1];

/** Whether a name is a force between particles. */
export const isForce = (name: string): boolean => {
  const kind = kindOf(name);
  return kind !== undefined && (Object.hasOwn(FORCES, kind) || name === 'langevin_thermostat');
};

/** A force of pairs, with `config` or `parameters` and `rcut`. */
export function addForce(input: Input, name: string, node: Msp, batch: Batch): void {
  const slots = input.slotsOf(name, node);
  const force = FORCES[kindOf(name)!]!;
  const given = (slots.get('config') ?? slots.get('parameters'))?.entries;
  const rcut = input.quantity(slots.get('rcut'));
  if (rcut === undefined) {
    input.skip(node, name, 'it has no rcut', batch);
    return;
  }
  const parameters: Record<string, ReturnType<typeof plain>> = {};
  for (const [key, value] of given ?? []) {
    const here = force.parameters[key] ?? nameHere(key, new Set(Object.values(force.parameters)));
    if (here) parameters[here] = plain(value);
    else input.skip(value, `${key} of ${name}`, 'the parameter has no counterpart', batch);
  }
  const missing = new Set(Object.values(force.parameters)).size - Object.keys(parameters).length;
  if (missing > 0 && force.operator !== 'coulomb_cut_force') {
    input.skip(node, name, 'parameters are missing, or in a form that has no counterpart', batch);
    return;
  }
  batch.add(force.operator, { ...parameters, rcut });
}
