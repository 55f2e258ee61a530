import { evaluate } from './formula.js';
import { mistake, type Place } from './readCommands.js';
import { Unmapped } from './Unmapped.js';

/** A variable: its text, a formula that is computed when it is asked for, or values of which `next` takes the following one. */
type Variable =
  | { readonly text: string; readonly more?: readonly string[] }
  | { readonly formula: string };

const LONGEST = 2 ** 16;
/** Values of a loop. */
const MOST_COUNTS = 50_000;
/** Variables whose formulas name others. */
const DEEPEST = 30;

/** Variables of a script, and the texts in which they stand. */
export class Variables {
  readonly #variables = new Map<string, Variable>();
  #depth = 0;

  /** `variable name style args…` of the styles that have a value before a run. @throws Unmapped, CorpuscleError */
  define(args: readonly string[], place: Place): void {
    const [name, style, ...values] = args;
    if (!name || !/^\w+$/.test(name) || !style)
      throw mistake(place, 'variable needs a name of letters and digits, and a style');
    if (style === 'delete') {
      this.#variables.delete(name);
      return;
    }
    if (values.length === 0) throw mistake(place, `variable ${name} has no value`);
    if (style === 'equal') this.#variables.set(name, { formula: values.join('') });
    else if (style === 'string') this.#variables.set(name, { text: values[0]! });
    else if (style === 'index' || style === 'loop') {
      // A later definition is ignored, as in LAMMPS.
      if (this.#variables.has(name)) return;
      const [first, ...more] = style === 'index' ? values : countsOf(values, place);
      this.#variables.set(name, { text: first!, more });
    } else throw new Unmapped(`a variable of style ${style} has no value before the run`);
  }

  /**
   * Gives variables of lists their next values.
   * @returns whether one of them has none: it is gone then, so that it can be defined again
   * @throws CorpuscleError for variables of other styles
   */
  next(names: readonly string[], place: Place): boolean {
    const following = names.map((name) => {
      const variable = this.#variables.get(name);
      if (!variable) throw mistake(place, `there is no variable '${name}': define it before`);
      if ('formula' in variable || !variable.more)
        throw mistake(place, `variable '${name}' has no next value: its style is index or loop`);
      return variable.more;
    });
    for (const [k, name] of names.entries()) {
      const [text, ...more] = following[k]!;
      if (text === undefined) this.#variables.delete(name);
      else this.#variables.set(name, { text, more });
    }
    return following.some((more) => more.length === 0);
  }

  /** The value of an equal-style variable, or the number that a text is. @throws Unmapped, CorpuscleError */
  number(name: string, place: Place): number {
    const variable = this.#variables.get(name);
    if (!variable) throw mistake(place, `there is no variable '${name}': define it before`);
    if (++this.#depth > DEEPEST) throw mistake(place, `variable '${name}' leads to itself`);
    try {
      const text = 'formula' in variable ? this.substitute(variable.formula, place) : variable.text;
      return evaluate(text, (other) => this.number(other, place));
    } finally {
      this.#depth--;
    }
  }

  /** A text with the values of `$x`, `${name}` and `$(formula)`. @throws Unmapped, CorpuscleError */
  substitute(text: string, place: Place): string {
    let out = '';
    let at = 0;
    for (const match of text.matchAll(/\$(?:\{(\w*)\}|(\()|(\w))?/g)) {
      const [all, name, open, letter] = match;
      if (match.index < at) continue;
      out += text.slice(at, match.index);
      at = match.index + all.length;
      if (open) {
        const end = closing(text, at);
        if (end < 0) throw mistake(place, '$( has no closing parenthesis');
        out += this.#immediate(text.slice(at, end), place);
        at = end + 1;
      } else if (name || letter) out += this.#text((name || letter)!, place);
      else throw mistake(place, 'a $ stands for no variable: write $x, or a name in braces');
      if (out.length > LONGEST)
        throw mistake(place, `variables make more than ${LONGEST} characters`);
    }
    return out + text.slice(at);
  }

  #text(name: string, place: Place): string {
    const variable = this.#variables.get(name);
    if (variable && 'text' in variable) return variable.text;
    return String(Number(this.number(name, place).toPrecision(15)));
  }

  /** `$(formula:%.3f)`; a format only says how the number is printed. */
  #immediate(text: string, place: Place): string {
    const [formula] = text.split(':%');
    return String(evaluate(formula!, (name) => this.number(name, place)));
  }
}

function closing(text: string, from: number): number {
  let open = 1;
  for (let k = from; k < text.length; k++) {
    if (text[k] === '(') open++;
    if (text[k] === ')' && --open === 0) return k;
  }
  return -1;
}

/** `N`, `N pad`, `N M`, `N M pad`: whole numbers from 1, or from N, to the last. */
function countsOf(values: readonly string[], place: Place): string[] {
  const isPadded = values.at(-1) === 'pad';
  const numbers = values.slice(0, isPadded ? -1 : undefined).map(Number);
  const [first, last] = numbers.length === 1 ? [1, numbers[0]!] : (numbers as [number, number]);
  const isRight = numbers.length <= 2 && Number.isInteger(first) && Number.isInteger(last);
  if (!isRight || !(first >= 0 && last >= first && last - first < MOST_COUNTS))
    throw mistake(
      place,
      `loop ${values.join(' ')} is no range: write loop N, or loop N M with M ≥ N`,
    );
  const width = isPadded ? String(last).length : 0;
  return Array.from({ length: last - first + 1 }, (_, k) => String(first + k).padStart(width, '0'));
}
