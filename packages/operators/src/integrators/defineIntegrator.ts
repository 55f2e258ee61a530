import type { OperatorBundle, OperatorDefinition, SlotSpecs, SlotValues } from '@corpuscle/core';
import { declaredAt } from '../potentials/pair/declaredAt.js';
import { timeStep } from '../run/timeStep.js';
import { groupSlot } from '../sets/group/Groups.js';
import { checkIntegrator } from './checkIntegrator.js';
import type { IntegratorPhase, IntegratorSpec, PhaseSlots } from './IntegratorSpec.js';
import type { StepParts } from './joinSteps.js';
import { phaseOperator } from './phaseOperator.js';
import { type SchemePart, schemePart } from './SchemeCalls.js';
import { segmentsOf } from './segmentsOf.js';
import { stepComposite } from './stepComposite.js';

/** An integrator that a registry can take: its operators, and the name that stands for the step they make. */
export interface Integrator<S extends SlotSpecs = SlotSpecs> extends OperatorBundle {
  readonly doc: string;
  /** As its author wrote it. */
  readonly spec: IntegratorSpec<S>;
  /** Names of its operators. */
  readonly parts: StepParts;
  /**
   * It with settings, for `molecularDynamics`; quantities are in internal units.
   * @throws CorpuscleError MISSING_VALUE for a setting that it needs
   */
  with(settings: Partial<SlotValues<S>>): SchemePart;
}

/**
 * Declares an integrator by what it does to every particle before and after forces are computed. Lists, forces, the clock,
 * threads and GPUs are not its concern. Numbers that belong to all particles, such as a kinetic energy, are values: phases reduce
 * into them, compute with them and take them as parameters, and nothing is read back.
 *
 *   phases  [ kick_drift, 'forces', kick ]             moves the particles
 *   phases  [ 'step', kinetic, control, scale ]        a thermostat around velocity Verlet, or the integrator it is listed with
 *
 * In YAML `numerical_scheme: velocity_verlet`, or `numerical_scheme: { langevin: { … } }`, chooses it. Its operators can be put
 * into batches of one's own.
 *
 * @throws CorpuscleError INVALID_VALUE when no phase is given, or neither 'forces' nor one 'step'.
 * @example
 * export const eulerCromer = defineIntegrator({
 *   name: 'euler_cromer',
 *   doc: 'First order, symplectic: v += dt f/m, then r += dt v.',
 *   phases: ['forces', { doc: 'Moves particles.', functor: kickDrift, params: ({ dt }) => ({ dt, halfDt: dt }) }],
 * });
 * createRegistry().addBundle(eulerCromer);
 */
export function defineIntegrator<const S extends SlotSpecs = SlotSpecs>(
  spec: IntegratorSpec<S>,
): Integrator<S> {
  const { name, doc, slots } = spec;
  const segments = declaredAt(defineIntegrator, () => {
    checkIntegrator(spec);
    return segmentsOf(spec);
  });
  const operators: OperatorDefinition[] = [];
  const named = segments.map(({ own, late }, k) => {
    const nameOf = (phase: IntegratorPhase<PhaseSlots<S>>): string => {
      const side = k === 0 ? 'before' : 'after';
      const operator = phaseOperator(`${name}_${operators.length + 1}`, spec, phase, side);
      operators.push(operator);
      return operator.name;
    };
    return { own: own.map(nameOf), late: late.map(nameOf) };
  });
  const isThermostat = spec.phases.includes('step');
  const parts: StepParts = isThermostat
    ? { kind: 'wraps', before: named[0]!.own, after: named[1]!.own }
    : { kind: 'moves', segments: named, ...(spec.time && { measuresTime: true }) };
  const composite = stepComposite(
    { name, doc, slots: { ...slots, ...groupSlot, dt: timeStep } },
    () => parts,
  );
  const withSettings: Integrator<S>['with'] = (settings) => schemePart(spec, settings);
  return { name, doc, spec, parts, operators, composites: [composite], with: withSettings };
}
