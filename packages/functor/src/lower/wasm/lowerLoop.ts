import type { Expr, Stmt } from '../../ir.js';
import { forEachStatement, operandsOf } from '../../passes/walk.js';
import { bodyControl, diverges } from './control.js';
import type { Lowering } from './Lowering.js';
import { lowerExpression } from './lowerExpression.js';
import { i32, i32x4, i64x2 } from './ops.js';

type LoopStmt = Extract<Stmt, { kind: 'loop' }>;
type LowerStatements = (l: Lowering, list: readonly Stmt[]) => void;

/**
 * A loop. Where all lanes turn together it is an ordinary one. Else it has a mask of the lanes that are still in it, and ends
 * when there is none:
 *
 *   lanes = mask
 *   loop:  lanes &= condition;  leave if none
 *          turn = lanes                      (only if some lanes `continue` alone)
 *          body under turn                   break: lanes, turn &= ~who;  continue: turn &= ~who
 *          update under lanes
 *
 * A short loop over neighbors goes without a mask as long as all lanes are in it, and then with one.
 */
export function lowerLoop(l: Lowering, s: LoopStmt, lowerStatements: LowerStatements): void {
  const { ops, builder, frame } = l;
  const facts = frame.variance.loops.get(s);
  if (!facts) throw new Error('a loop was not analyzed');
  const outer = { control: frame.control, loop: frame.loop };
  const parts = diverges(facts);
  const loopRegion = parts ? ++frame.regions : outer.control.region;
  const turnRegion = facts.divergentContinue ? ++frame.regions : loopRegion;
  const breakFrom = l.regions.length;
  const continueFrom = breakFrom + (parts ? 1 : 0);

  const emit = () =>
    builder.block((exit) => {
      builder.loop((again) => {
        frame.control = bodyControl(outer.control, facts, loopRegion);
        if (!facts.varyingCondition && (facts.divergentBreak || facts.divergentReturn) && l.mask) {
          builder.brIf(exit, l.noneOf(l.mask));
        }
        const condition = lowerExpression(l, s.condition);
        if (facts.varyingCondition) {
          const lanes = l.regions.at(-1)?.local;
          if (lanes === null || lanes === undefined)
            throw new Error('a diverging loop has no mask');
          builder.set(lanes, l.masked(ops.vector(condition)));
          builder.brIf(exit, l.noneOf(builder.get(lanes)));
        } else if (condition.node[0] !== 'i32.const' || condition.node[1] !== 1) {
          builder.brIf(exit, i32.eqz(condition.node));
        }
        builder.block((next) => {
          frame.loop = { exit, next, breakFrom, continueFrom };
          frame.control = bodyControl(outer.control, facts, turnRegion);
          const body = () => lowerStatements(l, s.body);
          if (facts.divergentContinue) l.inRegion(l.mask ?? ops.all, body);
          else body();
        });
        frame.control = bodyControl(outer.control, facts, loopRegion);
        lowerStatements(l, s.update);
        builder.br(again);
      });
    });
  if (facts.varyingCondition && l.mask === null && isOverNeighbors(s)) {
    frame.control = bodyControl(outer.control, { ...facts, varyingCondition: false }, loopRegion);
    whileAllTurn(l, s, lowerStatements);
    frame.control = outer.control;
  }
  if (parts) l.inRegion(l.mask ?? ops.all, emit);
  else emit();
  frame.control = outer.control;
  frame.loop = outer.loop;
}

/** The turns that all lanes take, with no more masks than in the loop's body itself. */
function whileAllTurn(l: Lowering, s: LoopStmt, lowerStatements: LowerStatements): void {
  const { ops, builder, frame } = l;
  const masks = ops.real === 'f64' ? i64x2 : i32x4;
  const inside = l.regions.length;
  builder.block((exit) => {
    builder.loop((again) => {
      const condition = ops.vector(lowerExpression(l, s.condition));
      builder.brIf(exit, i32.eqz(masks.all_true(condition)));
      builder.block((next) => {
        frame.loop = { exit, next, breakFrom: inside, continueFrom: inside };
        lowerStatements(l, s.body);
      });
      lowerStatements(l, s.update);
      builder.br(again);
    });
  });
}

/** A loop up to the number of neighbors that has no loop inside and that no lane leaves in between. */
function isOverNeighbors(s: LoopStmt): boolean {
  let isPlain = readsCount(s.condition);
  forEachStatement(s.body, ({ kind }) => {
    if (kind === 'loop' || kind === 'break' || kind === 'continue' || kind === 'return')
      isPlain = false;
  });
  return isPlain;
}

const readsCount = (e: Expr): boolean =>
  (e.kind === 'field' && e.role === 'n' && e.field === 'count') || operandsOf(e).some(readsCount);
