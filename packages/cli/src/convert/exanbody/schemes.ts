import type { Value } from '../Draft.js';
import type { Input } from './Input.js';
import type { Msp } from './readMsp.js';

/** Schemes of exaStamp that are velocity Verlet. */
const VERLET = /^(verlet|verlet_nve|verlet_lnvt|numerical_scheme|numerical_scheme_verlet|nop)$/;
const PUSHES =
  /^(push_f_v(_r)?|verlet_(first|second)_half|check_and_update_particles|compute_all_forces_energy|compute_force|ghost_\w+|\w+_from_ghost|zero_\w+|force_to_accel|divide_\w+|update_\w+|concurrent_\w+)$/;

/** `numerical_scheme`, with the thermostats that have blocks of their own. */
export function addScheme(input: Input, node: Msp | undefined): void {
  const langevin = input.root.get('langevin_thermostat')?.entries;
  const name = String(node?.scalar ?? '');
  const temperature = input.quantity(langevin?.get('T'));
  const friction = input.quantity(langevin?.get('gamma'));
  if (name === 'verlet_lnvt' && temperature !== undefined && friction !== undefined) {
    input.scheme.add('langevin', { temperature, friction });
    return;
  }
  const noseHoover = input.root.get('init_nose_hoover');
  if (/^verlet_nhn[vp]t$/.test(name) && noseHoover) {
    addNoseHoover(input, noseHoover);
    return;
  }
  if (!node || (VERLET.test(name) && name !== 'verlet_lnvt')) return;
  const names = (node.items ?? []).map(({ scalar, entries }) =>
    String(scalar ?? [...(entries ?? new Map()).keys()][0]),
  );
  const isVerlet = names.length > 0 && names.every((word) => PUSHES.test(word));
  if (!isVerlet)
    input.skip(
      node,
      `numerical_scheme ${name}`,
      'velocity Verlet stands in its place',
      input.scheme,
    );
  input.scheme.add('velocity_verlet');
}

function addNoseHoover(input: Input, node: Msp): void {
  const { entries = new Map<string, Msp>() } = node;
  const ramp = (first: string, last: string): Value | undefined => {
    const [a, b] = [input.quantity(entries.get(first)), input.quantity(entries.get(last))];
    return a === undefined || b === undefined || a === b ? a : [a, b];
  };
  const slots: Record<string, Value | undefined> = {
    temperature: ramp('Tstart', 'Tend'),
    tau: input.quantity(entries.get('Tdamp')),
    chain: input.quantity(entries.get('tchain')),
  };
  if (entries.get('algo')?.scalar === 'NPT') {
    // Pressures there are in pascal.
    const pascal = (value: Value | undefined) =>
      typeof value === 'number' ? `${value} Pa` : value;
    slots.pressure = pascal(ramp('Pxxstart', 'Pxxend') ?? ramp('Pstart', 'Pend'));
    slots.tau_pressure = input.quantity(entries.get('Pxxdamp') ?? entries.get('Pdamp'));
    const isTilted = entries.has('Pxystart');
    slots.coupling = isTilted
      ? 'triclinic'
      : entries.get('Pcouple')?.scalar === 'XYZ'
        ? 'iso'
        : 'aniso';
  }
  if (
    slots.tau === undefined ||
    (entries.get('algo')?.scalar === 'NPT' && slots.pressure === undefined)
  ) {
    input.skip(
      node,
      'init_nose_hoover',
      'temperature, pressure or their times are missing',
      input.scheme,
    );
    input.scheme.add('velocity_verlet');
    return;
  }
  input.scheme.add('nose_hoover', slots);
}
