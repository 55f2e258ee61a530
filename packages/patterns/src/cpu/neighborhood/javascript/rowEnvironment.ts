import type { JavaScriptEnv } from '@corpuscle/functor/javascript';
import type { NeighborhoodPlan } from '../NeighborhoodPlan.js';

const VIEWS = { real: 'F64', u32: 'U32', i32: 'I32', bool: 'U32' } as const;

/** An element of an array of the buffer. */
export type ItemText = (field: string, index: string) => string;

/** Names elements of the buffer; an index goes through a mask, so that none lies outside. */
export function itemTextOf({ ir }: NeighborhoodPlan): ItemText {
  const { n = {}, j = {} } = ir.roles;
  const types = new Map(Object.entries({ ...j, ...n }).map(([name, { type }]) => [name, type]));
  return (field, index) =>
    `${VIEWS[types.get(field)!]}[$n_${field} + ((${index}) & ($capacity - 1))]`;
}

/** How the functor of a row reads and writes. */
export function rowEnvironment(plan: NeighborhoodPlan, item: ItemText): JavaScriptEnv {
  const tables = new Map(plan.parameters.map((parameter) => [parameter.name, parameter]));
  const owned = new Set(
    plan.outputs.filter((output) => output.central !== 'none').map(({ field }) => field),
  );
  return {
    read(role, field) {
      if (role === 'p') return `$p_${field}`;
      if (role === 'n') return { lane: '0', lanes: '1' }[field] ?? '$count';
      if (role === 'x') return `$x_${field}`;
      if (role === 'd') return field === 'r2' ? '$r2' : `$d${field}`;
      if (role === 'j') return `$j_${field}`;
      return owned.has(field) ? `$sum_${field}` : `$i_${field}`;
    },
    item(role, field, index) {
      if (role === 'n') return item(field, index);
      const view = VIEWS[tables.get(field)!.type];
      return `${view}[$p_${field} + Math.min((${index}) >>> 0, $last_${field})]`;
    },
    write: (role, field, op, value) => `${role === 'x' ? '$x' : '$sum'}_${field} ${op} ${value};`,
    writeItem: (_role, field, index, op, value) => `${item(field, index)} ${op} ${value};`,
  };
}
