import { type FunctorIR, forEachExpression, sumOutputs, withOutputs } from '@corpuscle/patterns';
import { parametersOf } from './data/parameters.js';
import type { KernelPlan } from './print/kernelSource.js';

/** A fragment has four components. */
const perKernel = 4;

/**
 * Kernels for the wanted outputs of a functor, four outputs each. An output that is only added to starts from zero, so that
 * the host adds it in double precision; any other starts from the particle's value. Outputs that others depend on are
 * computed in each kernel that needs them.
 */
export function planKernels(
  ir: FunctorIR,
  wanted: readonly string[],
  start: Readonly<Record<string, number>> = {},
): KernelPlan[] {
  const kinds = sumOutputs(ir);
  const plans: KernelPlan[] = [];
  for (let k = 0; k < wanted.length; k += perKernel) {
    const outputs = wanted.slice(k, k + perKernel);
    const pruned = withOutputs(ir, new Set(outputs));
    const written = writtenOutputs(pruned, outputs);
    const isSum = (field: string) => pruned.kind !== 'reduce' && kinds.get(field) === 'sum';
    const carried = new Set(
      pruned.kind === 'reduce' ? [] : written.filter((field) => !isSum(field)),
    );
    plans.push({
      ir: pruned,
      fields: fieldsRead(pruned, carried),
      outputs,
      carried,
      start: Object.fromEntries(
        written
          .filter((field) => pruned.kind === 'reduce' || isSum(field))
          .map((field) => [field, start[field] ?? 0]),
      ),
      parameters: parametersOf(pruned),
    });
  }
  return plans;
}

/** The outputs asked for, and those that the pruned functor still writes because others read them. */
function writtenOutputs(ir: FunctorIR, outputs: readonly string[]): string[] {
  const role = ir.kind === 'reduce' ? 'acc' : 'i';
  const writable = Object.entries(ir.roles[role] ?? {})
    .filter(([, field]) => field.writable)
    .map(([name]) => name);
  return [...new Set([...outputs, ...writable])];
}

function fieldsRead(ir: FunctorIR, carried: ReadonlySet<string>): string[] {
  const fields = new Set(carried);
  forEachExpression(ir.body, (e) => {
    if (e.kind === 'field' && (e.role === 'i' || e.role === 'j')) fields.add(e.field);
  });
  return [...fields].sort();
}
