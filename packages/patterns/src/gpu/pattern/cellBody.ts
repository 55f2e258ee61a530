import type { Functor } from '@corpuscle/functor';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { ParameterValues } from '../../plan/calls.js';
import type { ParamType } from '../device/GpuKernel.js';
import { type DeviceReal, realText } from '../double/DeviceReals.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import type { ParticleAccess } from './ParticleAccess.js';

/** Cell functors in a row as parts of a kernel that has a particle's rows in `row_<block>`. */
export interface CellBody {
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
  readonly params: Readonly<Record<string, ParamType>>;
  /** Structs and functions of the functors. */
  readonly declarations: string;
  /** All fields that they use. */
  readonly fields: readonly WgslField[];
  /** Statements that run one functor after the other on the rows. */
  readonly calls: string;
}

/** Names of functors by what their parameters begin with. */
export const markedNames = (
  mark: string,
  functors: readonly Functor[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(functors.map(({ name }, k) => [`${mark}${k}`, name]));

/**
 * @param mark tells the names of several functors in one kernel apart: 'f' makes f0_, f1_, …; empty for one alone.
 * @param passed parameters of each, and values that the workgroup has found before
 */
export function cellBody(
  functors: readonly Functor<'cell'>[],
  access: ParticleAccess,
  state: DeviceReal,
  mark: string,
  passed: {
    readonly given: readonly ParameterValues[];
    readonly slots: ReadonlyMap<number, number>;
  } | null = null,
): CellBody {
  const parts = functors.map((functor, k) => {
    const ir = functor.ir!;
    const tables = new FunctorTables(ir, mark && `${mark}${k}_`, state);
    if (passed) tables.takePassed(passed.given[k]!, passed.slots);
    const lowered = functorText(functor, ir, tables, mark && `_${mark}${k}`);
    return { functor, tables, lowered };
  });
  const tables = parts.map((part) => part.tables);
  return {
    tables,
    params: Object.assign({}, ...tables.map(({ params }) => params)),
    declarations: parts
      .map(
        ({ functor, lowered }) => `
// Cell functor ${functor.name}.
${lowered.structs}
${lowered.functions}`,
      )
      .join('\n'),
    fields: parts.flatMap(({ lowered }) => lowered.fields.i),
    calls: parts.map(({ functor, lowered }) => callText(functor, lowered, access)).join('\n    '),
  };
}

/** Statements that run one functor on the loaded rows. What it adds to positions goes to the relative vector. */
function callText(functor: Functor<'cell'>, lowered: LoweredWgsl, access: ParticleAccess): string {
  const kinds =
    functor.spec.wgsl === undefined ? sumOutputs(functor.ir!) : new Map<string, string>();
  const load: string[] = [];
  const store: string[] = [];
  const moves: Record<string, string> = {};
  const move = (field: WgslField, distance: string): void => {
    if (access.isStrained) moves[access.componentOf(field)] = distance;
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
      var i: ${lowered.name}_i;
      ${load.join('\n      ')}
      ${lowered.name}(&i);
      ${store.join('\n      ')}
    }`;
}
