import { suggesting } from '@corpuscle/functor/error';
import { otherNames } from './otherNames.js';

/** Edits (insert, delete, replace, swap neighbors) that turn `a` into `b`; Infinity where they are more than `most`. */
export function editDistance(a: string, b: string, most = Infinity): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        previous[j]! + 1,
        current[j - 1]! + 1,
        previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      current.push(cost);
    }
    // Later rows are no smaller than the least of two neighboring ones.
    if (Math.min(...current) > most && Math.min(...previous) > most) return Infinity;
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/** Words longer than this are no slips of a pen. */
const LONGEST = 64;

/**
 * The name of what other programs call `word`; else the name most like it, if one is close enough to be what was meant; case and -/_ count little. Otherwise the only name that has
 * all its words, as `lattice_constant` has `constant`.
 */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const all = [...names];
  const elsewhere = otherNames.get(word)?.find((name) => all.includes(name));
  return elsewhere ?? closestName(word, all) ?? onlyNameWith(word, all);
}

function onlyNameWith(word: string, names: readonly string[]): string | undefined {
  const parts = word.toLowerCase().split(/[-_\s]/);
  const candidates = names.filter((name) => {
    const words = name.split('_');
    return parts.every((part) => words.includes(part));
  });
  return candidates.length === 1 ? candidates[0] : undefined;
}

function closestName(word: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-\s]/g, '_');
  const enough = Math.floor(word.length / 3) + 2;
  const plainWord = plain(word);
  let best: string | undefined;
  let bestDistance: number = enough;
  for (const name of names) {
    // Every character too many costs one, so that most names need no comparison.
    if (Math.abs(name.length - word.length) >= enough) continue;
    const near = editDistance(plainWord, plain(name), bestDistance);
    if (near > bestDistance) continue;
    // The exact spelling breaks ties only.
    const distance = near + editDistance(word, name) / 100;
    if (distance < bestDistance && !areOtherWords(word, name, near))
      [best, bestDistance] = [name, distance];
  }
  return best;
}

/** Whether names are alike only in words that they share: half of `own` would have to change to make `born_force` of `own_force`. */
function areOtherWords(word: string, name: string, distance: number): boolean {
  if (distance === 1 && name.startsWith(word)) return false; // 'r' of 'r0'
  const shared = name.split('_');
  const own = word.split('_').filter((part) => !shared.includes(part));
  return own.length > 0 && 2 * distance > own.join('').length;
}

/**
 * End of a message about an unknown name: the nearest one, or else the names there are (if few, and the remedy does not name them),
 * then what to do.
 *
 * @example
 * `unknown key 'rcutt'${didYouMean('rcutt', ['rcut'])}` // unknown key 'rcutt': did you mean 'rcut'?
 */
export function didYouMean(word: string, names: Iterable<string>, remedy = ''): string {
  const known = [...names];
  const [, name, value] = /^(\w+):(.+)$/.exec(word) ?? [];
  // YAML takes the whole of it as a name.
  if (name !== undefined && known.includes(name))
    return `: put a space after the colon, '${name}: ${value!.trim()}'`;
  const [, assigned, given] = /^(\w+)\s*=\s*(.+)$/.exec(word) ?? [];
  if (assigned !== undefined && known.includes(assigned))
    return `: write a colon and a space, '${assigned}: ${given}'`;
  const nearest = nearestName(word, known);
  if (nearest !== undefined) return `: ${suggesting(nearest)}`;
  const isTold = known.length > 0 && remedy.includes(known.join(', '));
  const list =
    known.length > 0 && known.length <= 16 && !isTold
      ? ` (there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')})`
      : '';
  return `${list}${remedy ? `: ${remedy}` : list ? '' : ': remove it'}`;
}
