import type { Batch, Slots, Value } from '../Draft.js';
import { FILES, fileForce, tableSlots } from './fileForces.js';
import { allPairs, keyOf, mixedPairs } from './hybridPairs.js';
import { type PairPart, type PairStyle, pairStyles } from './pairStyles.js';
import type { Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** A style of `pair_style`, and the pairs that have coefficients: `0,1` with the smaller type first. */
interface Used {
  readonly style: string;
  readonly number: number;
  readonly args: readonly string[];
  readonly pairs: Map<string, readonly string[]>;
  /** Operators of styles that are read from a file for all types. */
  whole: { readonly name: string; readonly slots: Slots } | null;
  /** `pair_modify pair … shift`; absent where it is that of all. */
  shift?: boolean | undefined;
}

const MIXING: Readonly<Record<string, string>> = {
  geometric: 'geometric',
  arithmetic: 'lorentz_berthelot',
  sixthpower: 'sixth_power',
};

/** Pair styles and coefficients of a script, and the force operators that they are. */
export class PairForces {
  #styles: Used[] = [];
  #isHybrid = false;
  #isOverlay = false;
  /** Pairs that `hybrid` leaves without forces. */
  readonly #none = new Set<string>();
  #mix = 'geometric';
  #shift = false;
  dielectric = 1;

  /** All that was said, to notice changes. */
  get text(): string {
    const styles = this.#styles.map((used) => ({ ...used, pairs: [...used.pairs] }));
    return JSON.stringify([styles, [...this.#none], this.#mix, this.#shift, this.dielectric]);
  }

  /** `pair_style`. @throws Unmapped, CorpuscleError */
  setStyle(script: Script, args: readonly string[]): void {
    const [style, ...rest] = args;
    if (!style) throw script.mistake('pair_style needs a style, such as lj/cut');
    this.#styles = [];
    this.#none.clear();
    this.#isOverlay = style === 'hybrid/overlay';
    this.#isHybrid = this.#isOverlay || style === 'hybrid';
    if (style === 'none' || style === 'zero') return;
    if (!this.#isHybrid) {
      this.#add(script, style, rest);
      return;
    }
    for (let k = 0; k < rest.length; ) {
      let end = k + 1;
      while (end < rest.length && !isStyle(rest[end]!)) end++;
      this.#add(script, rest[k]!, rest.slice(k + 1, end));
      k = end;
    }
  }

  #add(script: Script, style: string, args: readonly string[]): void {
    if (!isStyle(style)) throw new Unmapped(`there is no counterpart of pair style ${style}`);
    const [least, most] = pairStyles[style]?.globals ?? [0, 3];
    if (args.length < least || args.length > most)
      throw script.mistake(
        `pair_style ${style} has ${args.length} numbers: it needs ${least === most ? least : `${least} to ${most}`}`,
      );
    const number = this.#styles.filter((used) => used.style === style).length + 1;
    this.#styles.push({ style, number, args, pairs: new Map(), whole: null });
  }

  /** `pair_modify`. */
  modify(script: Script, args: readonly string[]): void {
    if (args[0] === 'pair') {
      const { used, count } = this.#styleOf(script, args.slice(1));
      const [key, value, ...others] = args.slice(1 + count);
      if (key !== 'shift' || others.length > 0)
        throw new Unmapped(`pair_modify pair with ${key} ${others.join(' ')} has no counterpart`);
      used.shift = value === 'yes';
      return;
    }
    for (let k = 0; k < args.length; k += 2) {
      const [key, value = ''] = [args[k]!, args[k + 1]];
      if (key === 'shift') {
        this.#shift = value === 'yes';
        for (const used of this.#styles) used.shift = undefined;
      } else if (key === 'mix' && MIXING[value]) this.#mix = value;
      else if (
        (key === 'tail' && value === 'no') ||
        /^(table|tabinner|compute|nofdotr)/.test(key)
      ) {
        if (key === 'nofdotr') k--;
      } else throw new Unmapped(`pair_modify ${key} ${value} has no counterpart`);
    }
    if (args.length === 0) throw script.mistake('pair_modify needs keywords');
  }

  /** `pair_coeff`. @throws Unmapped, CorpuscleError */
  setCoefficients(script: Script, args: readonly string[]): void {
    if (this.#styles.length === 0)
      throw new Unmapped('its pair_style has no counterpart, or there is none');
    const [a, b] = [script.typeRange(args[0]), script.typeRange(args[1])];
    // Wildcards mean pairs with the smaller type first only.
    const isPlain = a.length === 1 && b.length === 1;
    const keys = a.flatMap((i) => b.filter((j) => i <= j || isPlain).map((j) => keyOf(i, j)));
    let rest = args.slice(2);
    let used = this.#styles[0]!;
    if (this.#isHybrid) {
      if (rest[0] === 'none') {
        this.#leaveOut(keys);
        return;
      }
      const named = this.#styleOf(script, rest);
      used = named.used;
      rest = rest.slice(named.count);
    }
    if (FILES[used.style]) {
      const isAll = keys.length === allPairs(script.types.length).length;
      used.whole = fileForce(script, used.style, rest, isAll);
      return;
    }
    const [least, most] = pairStyles[used.style]?.coefficients ?? [2, 3];
    if (rest.length < least || rest.length > most)
      throw script.mistake(
        `pair_coeff of ${used.style} has ${rest.length} values after the types: it needs ${least === most ? least : `${least} to ${most}`}`,
      );
    if (used.style !== 'table') for (const word of rest) script.number(word);
    if (this.#isHybrid && !this.#isOverlay) this.#leaveOut(keys); // the style that is named last is that of a pair
    for (const key of keys) {
      used.pairs.set(key, rest);
      this.#none.delete(key);
    }
  }

  /** Pairs without forces of any style. */
  #leaveOut(keys: readonly string[]): void {
    if (this.#styles.some(({ whole }) => whole))
      throw new Unmapped('a style of a file is that of all pairs here');
    for (const key of keys) {
      this.#none.add(key);
      for (const { pairs } of this.#styles) pairs.delete(key);
    }
  }

  /** The style of `hybrid` that words begin with, and how many of them name it. */
  #styleOf(script: Script, [style, number]: readonly string[]): { used: Used; count: number } {
    const same = this.#styles.filter((used) => used.style === style);
    if (same.length === 0) throw script.mistake(`'${style}' is no style of pair_style hybrid`);
    if (same.length === 1) return { used: same[0]!, count: 1 };
    return { used: same[script.whole(number) - 1] ?? same[0]!, count: 2 };
  }

  /** Writes the operators. What is missing becomes a comment. */
  write(script: Script, batch: Batch): void {
    const rest: Slots[] = [];
    const mixed = mixedPairs(this.#styles, script.types.length, this.#none);
    for (const used of this.#styles) {
      if (used.whole) batch.add(used.whole.name, used.whole.slots);
      else if (FILES[used.style])
        script.skip(`pair_style ${used.style}`, 'it has no pair_coeff', batch);
      else if (used.style === 'dpd') this.#writeDpd(script, used, batch);
      else this.#writePairs(script, used, batch, rest, mixed.get(used)!);
    }
    if (rest.length === 0) return;
    const named = new Set(rest.map(({ types }) => String(types)));
    const follow = new Set([...mixed.values()].flat());
    const none = allPairs(script.types.length).flatMap(([i, j]) => {
      const types = [script.types[i]!.name, script.types[j]!.name];
      return named.has(String(types)) || follow.has(keyOf(i, j)) ? [] : [{ types, use: 'none' }];
    });
    const mixing = follow.size > 0 && { mixing: MIXING[this.#mix] as Value };
    batch.add('pair_force', { ...mixing, pairs: [...rest, ...none] as Value });
  }

  #writeDpd(script: Script, used: Used, batch: Batch): void {
    const [temperature, rcut] = used.args.map(Number);
    const pairs = this.#pairsOf(script, used, (words) => ({
      ...{ A: Number(words[0]), gamma: Number(words[1]), rcut: Number(words[2] ?? rcut) },
    }));
    batch.add('dpd_force', { ...shortened(pairs, script.types.length), temperature: temperature! });
  }

  #pairsOf(script: Script, used: Used, slotsOf: (words: readonly string[]) => Slots): Slots[] {
    return [...used.pairs].map(([key, words]) => {
      const [i, j] = key.split(',').map(Number);
      return { types: [script.types[i!]!.name, script.types[j!]!.name], ...slotsOf(words) };
    });
  }

  #writePairs(
    script: Script,
    used: Used,
    batch: Batch,
    rest: Slots[],
    mixed: readonly string[],
  ): void {
    const { length } = script.types;
    const missing = (length * (length + 1)) / 2 - used.pairs.size;
    for (const part of partsOf(used)) {
      const style = pairStyles[used.style];
      if (style?.needsShift && !(used.shift ?? this.#shift))
        script.skip(
          `pair_style ${used.style}`,
          'its energy ends at 0 here, as with pair_modify shift yes',
          batch,
        );
      if (style?.differs && part.use === 'coulomb_wolf')
        script.skip(`pair_style ${used.style}`, style.differs, batch);
      const fixed = this.#fixedSlots(part, used);
      const pairs = this.#pairsOf(script, used, (words) => pairSlots(script, used, part, words));
      const mixes = part.mixes && missing > 0 && mixed.length === missing;
      if (missing === 0 || mixes) {
        const mixing = part.mixes === 'atomic_numbers' ? part.mixes : MIXING[this.#mix];
        const slots = mixes ? { mixing, pairs: pairs as Value } : shortened(pairs, length);
        batch.add(`${part.use}_force`, { ...slots, ...fixed });
      } else {
        if (pairs.length === 0)
          script.skip(`pair_style ${used.style}`, 'it has no pair_coeff', batch);
        else if (!this.#isHybrid || (mixed.length > 0 && !part.mixes))
          script.skip(
            `pair_style ${used.style}`,
            'some pairs have no coefficients and no rule of mixing',
            batch,
          );
        rest.push(
          ...pairs.map(({ types, ...slots }) => ({ types, use: part.use, ...slots, ...fixed })),
        );
      }
    }
  }

  #fixedSlots(part: PairPart, { shift = this.#shift }: Used): Slots {
    const isCoulomb = part.use.startsWith('coulomb');
    return {
      ...part.fixed,
      ...(part.shifts && shift && { shift: 'energy' }),
      ...(isCoulomb && this.dielectric !== 1 && { dielectric: this.dielectric }),
    };
  }
}

const isStyle = (word: string): boolean =>
  Object.hasOwn(pairStyles, word) || Object.hasOwn(FILES, word) || /^(dpd|table)$/.test(word);

/** Slots of all pairs without a list where they are the same. */
function shortened(pairs: readonly Slots[], types: number): Slots {
  const [{ types: _, ...first } = {}] = pairs;
  const isSame = pairs.every(
    ({ types: _types, ...slots }) => JSON.stringify(slots) === JSON.stringify(first),
  );
  return isSame && (types === 1 || pairs.length > 1) ? first : { pairs: pairs as Value };
}

const TABLE: PairPart = { use: 'tabulated', global: {}, pair: {} };
const partsOf = ({ style }: Used): readonly PairPart[] =>
  (pairStyles[style] as PairStyle | undefined)?.parts ?? [TABLE];

/** Slots of a pair: those of the style, then those of its coefficients. */
function pairSlots(script: Script, used: Used, part: PairPart, words: readonly string[]): Slots {
  if (used.style === 'table') return tableSlots(script, used.args, words);
  const slots: Record<string, number> = {};
  for (const [name, at] of Object.entries(part.pair))
    if (!/rcut|switch/.test(name)) slots[name] = Number(words[at]);
  for (const [name, at] of Object.entries(part.global))
    if (used.args[at] !== undefined) slots[name] = script.number(used.args[at]);
  const own = Object.entries(part.pair).filter(
    ([name, at]) => /rcut|switch/.test(name) && words[at] !== undefined,
  );
  // A cutoff of the pair holds for charges too, unless they have their own.
  if (own.length > 0) delete slots.rcut_coulomb;
  for (const [name, at] of own) slots[name] = Number(words[at]);
  const { rcut_coulomb: coulomb, ...rest } = slots;
  // Particles without a Lennard-Jones potential have no size, as hydrogen in models of water.
  if (rest.epsilon === 0 && rest.sigma === 0) rest.sigma = rest.rcut!;
  return coulomb === undefined ? rest : { ...rest, rcut: coulomb };
}
