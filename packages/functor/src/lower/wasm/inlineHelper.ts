import type { HelperIR, Stmt } from '../../ir.js';
import type { LaneValue } from './BodyEnv.js';
import { topControl } from './control.js';
import type { Lowering } from './Lowering.js';
import { lowerExpression } from './lowerExpression.js';
import { lowerStatements } from './lowerStatement.js';
import { lowerDraw } from './random/lowerDraw.js';

/** Replaces a call by the helper's body and returns its results, cheap to repeat. */
export function inlineHelper(
  l: Lowering,
  helper: HelperIR,
  args: readonly LaneValue[],
): readonly LaneValue[] {
  const drawn = lowerDraw(l, helper, args);
  if (drawn) return drawn;
  const { ops, builder } = l;
  const variance = l.analysis.helper(
    helper,
    args.map((a) => !a.uniform),
  );
  const caller = l.frame;
  const kept = args.map((a) => ops.keep(a));
  const results = helper.results.map((type, k) => {
    const uniform = !(variance.results[k] ?? true);
    return { local: builder.local(ops.localType(type, uniform)), uniform };
  });

  const body = () => {
    helper.params.forEach((param, k) => {
      const value = kept[k];
      if (!value)
        throw new Error(`helper ${helper.name} is called without its argument ${param.name}`);
      if (!assigned(helper.body, param.id)) {
        l.frame.bindings.set(param, { kind: 'value', value });
        return;
      }
      const uniform = !variance.varying.has(param);
      const local = builder.variable(
        uniform ? value.node : ops.vector(value),
        ops.localType(param.type, uniform),
      );
      l.frame.bindings.set(param, { kind: 'local', local, uniform, region: topControl.region });
    });
    const last = helper.body.at(-1);
    if (last?.kind === 'return' && !variance.returnsDiverge && !returns(helper.body.slice(0, -1))) {
      lowerStatements(l, helper.body.slice(0, -1));
      for (const [k, value] of last.values.entries()) setResult(l, k, lowerExpression(l, value));
    } else lowerStatements(l, helper.body);
  };

  builder.block((exit) => {
    const run = () => {
      l.frame = l.openFrame(variance, results, exit);
      try {
        body();
      } finally {
        l.frame = caller;
      }
    };
    if (variance.returnsDiverge) l.inRegion(l.mask ?? ops.all, run);
    else run();
  });
  return results.map(({ local, uniform }, k) => ({
    uniform,
    type: helper.results[k] ?? 'real',
    node: builder.get(local),
  }));
}

/** Gives result `k` of the open frame its value on the running lanes. */
export function setResult(l: Lowering, k: number, value: LaneValue): void {
  const { ops, builder, frame } = l;
  const result = frame.results[k];
  if (!result) throw new Error('a return has more values than its helper has results');
  if (result.uniform) builder.set(result.local, value.node);
  else if (frame.variance.returnsDiverge && l.mask) {
    const old = builder.get(result.local);
    builder.set(result.local, ops.blend(value.type, ops.vector(value), old, l.mask));
  } else builder.set(result.local, ops.vector(value));
}

/** Is there a return among the statements, at any depth? */
export function returns(list: readonly Stmt[]): boolean {
  return list.some((s) => {
    if (s.kind === 'return') return true;
    if (s.kind === 'if') return returns(s.then) || returns(s.else);
    return s.kind === 'loop' && (returns(s.body) || returns(s.update));
  });
}

function assigned(list: readonly Stmt[], id: string): boolean {
  return list.some((s) => {
    if (s.kind === 'assign') return s.variable.id === id;
    if (s.kind === 'callMany') return s.targets.some((t) => t.id === id);
    if (s.kind === 'if') return assigned(s.then, id) || assigned(s.else, id);
    return s.kind === 'loop' && (assigned(s.body, id) || assigned(s.update, id));
  });
}
