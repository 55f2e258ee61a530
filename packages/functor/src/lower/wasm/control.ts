/** How lanes leave a loop. */
export interface LoopFacts {
  varyingCondition: boolean;
  /** Some lanes may break (continue, return) while others go on. */
  divergentBreak: boolean;
  divergentContinue: boolean;
  divergentReturn: boolean;
}

/** Control around a statement, needed alike by the analysis and by the lowering. */
export interface Control {
  readonly region: number;
  readonly loop: LoopFacts | null;
  /** Under a varying `if` inside the innermost loop. */
  readonly branched: boolean;
  /** Some lanes of the function may be elsewhere: a `return` here leaves others behind. */
  readonly apart: boolean;
  readonly enclosing: readonly LoopFacts[];
}

export const topControl: Control = {
  region: 0,
  loop: null,
  branched: false,
  apart: false,
  enclosing: [],
};

/** Lanes leave the loop at different turns. */
export const diverges = (facts: LoopFacts): boolean =>
  facts.varyingCondition || facts.divergentBreak;

export const branchControl = (c: Control, region: number): Control => ({
  ...c,
  region,
  branched: true,
  apart: true,
});

/** Control of a loop's body, given the regions of the loop and of its body. */
export const bodyControl = (c: Control, facts: LoopFacts, region: number): Control => ({
  region,
  loop: facts,
  branched: false,
  apart: c.apart || diverges(facts) || facts.divergentContinue,
  enclosing: [...c.enclosing, facts],
});

/** Would an escape here leave other lanes behind? */
export function escapeDiverges(kind: 'break' | 'continue' | 'return', c: Control): boolean {
  if (kind === 'return') return c.apart;
  // Lanes that skipped the rest of this turn by `continue` stay in the loop when others break.
  return c.branched || (kind === 'break' && (c.loop?.divergentContinue ?? false));
}
