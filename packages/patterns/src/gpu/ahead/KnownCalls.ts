import type { Functor } from '@corpuscle/functor';
import type {
  CellCall,
  PairCall,
  ParameterValues,
  ReduceCall,
} from '../../pattern/PatternEngine.js';
import { isSameValue, lastingValues } from '../../pattern/parameterValues.js';
import type { CellStep, TotalsStep } from './Stretch.js';

/** Functors whose last calls are remembered. */
const MOST_KNOWN = 64;

/**
 * The last calls on a grid without results, by functor: a step makes the same ones as the step before, and what is the same
 * is recognised by whoever works on it. Parameters of calls are copied, since their owner may change them.
 */
export class KnownCalls {
  readonly #steps = new Map<Functor, CellStep | TotalsStep>();

  /** A cell call as a step: the one of before, if it is the same. */
  cell(call: CellCall, operator: string): CellStep {
    const known = this.#steps.get(call.functor) as CellStep | undefined;
    if (known?.operator === operator && (known.call === call || isSameCell(known.call, call)))
      return known;
    const step = { kind: 'cell', operator, call: lasting(call) } as const;
    this.remember(step);
    return step;
  }

  /** A pair or reduce call as a step. */
  totals(kind: 'pair' | 'reduce', call: PairCall | ReduceCall, operator: string): TotalsStep {
    const known = this.#steps.get(call.functor) as TotalsStep | undefined;
    if (known?.operator === operator && (known.call === call || isSameCall(known.call, call)))
      return known;
    return { kind, operator, call: lasting(call), result: null, attempt: null };
  }

  remember(step: CellStep | TotalsStep): void {
    if (this.#steps.get(step.call.functor) === step) return;
    if (this.#steps.size === MOST_KNOWN) this.#steps.clear();
    this.#steps.set(step.call.functor, step);
  }

  clear(): void {
    this.#steps.clear();
  }
}

/** The call with parameters that nobody changes any more. */
function lasting<C extends CellCall | PairCall | ReduceCall>(call: C): C {
  return call.lasting ? call : { ...call, params: lastingValues(call.params), lasting: true };
}

const isSameCell = (known: CellCall, call: CellCall): boolean => isSame(known.params, call.params);

/** Whether a call equals one that was kept. */
function isSameCall(known: TotalsStep['call'], call: PairCall | ReduceCall): boolean {
  if ('initial' in known || 'initial' in call) return false;
  if (known.rcut !== call.rcut || known.form !== call.form || known.allPairs !== call.allPairs)
    return false;
  if (known.outputs !== call.outputs)
    for (const name in known.outputs) if (known.outputs[name] !== call.outputs[name]) return false;
  return isSame(known.params, call.params);
}

function isSame(known: ParameterValues, params: ParameterValues): boolean {
  for (const name in params) if (!isSameValue(known[name], params[name]!)) return false;
  return true;
}
