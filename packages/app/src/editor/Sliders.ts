import type { ChangeDesc } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { button } from '../page/elements.js';

/** Numbers as YAML has them. */
const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** A number of the text that has a slider. */
interface Bound {
  from: number;
  to: number;
  readonly row: HTMLElement;
}

/** Sliders that are bound to numbers of the text. They write into it. */
export class Sliders {
  readonly #view: EditorView;
  readonly #place: HTMLElement;
  readonly #add: HTMLButtonElement;
  readonly #onChange: () => void;
  readonly #bound: Bound[] = [];

  constructor(view: EditorView, place: HTMLElement, onChange: () => void) {
    this.#view = view;
    this.#place = place;
    this.#onChange = onChange;
    this.#add = button('', 'A slider that acts while the run goes on', () => this.#bind());
    this.#add.hidden = true;
    place.append(this.#add);
  }

  /** The text has changed, or the cursor has moved. */
  follow(changes: ChangeDesc | null): void {
    if (changes)
      for (const one of [...this.#bound]) {
        one.from = changes.mapPos(one.from, -1);
        one.to = changes.mapPos(one.to, 1);
        if (!isNumber(this.#textOf(one))) this.#remove(one);
      }
    const found = this.#atCursor();
    this.#add.hidden = found === null;
    if (found) this.#add.textContent = `Slider for ${found.name} = ${found.text}`;
  }

  #textOf({ from, to }: { from: number; to: number }): string {
    return this.#view.state.sliceDoc(from, to);
  }

  /** The number at the cursor, unless it has a slider. */
  #atCursor(): { from: number; to: number; name: string; text: string } | null {
    const { doc, selection } = this.#view.state;
    const { head } = selection.main;
    const line = doc.lineAt(head);
    for (const { index, 0: text } of line.text.matchAll(NUMBER)) {
      const [from, to] = [line.from + index, line.from + index + text.length];
      if (head < from || head > to || /\w/.test(line.text[index - 1] ?? '')) continue;
      if (this.#bound.some((one) => one.from === from)) return null;
      const name = /([\w.-]+)["']?\s*:\s*\[?[^:]*$/.exec(line.text.slice(0, index))?.[1];
      return { from, to, name: name ?? 'the number', text };
    }
    return null;
  }

  #bind(): void {
    const found = this.#atCursor();
    if (!found) return;
    const value = Number(found.text);
    const [low, high] = value > 0 ? [0, 2 * value] : value < 0 ? [2 * value, 0] : [-1, 1];
    const step = Number.isInteger(value) && Math.abs(value) > 20 ? 1 : (high - low) / 200;
    const row = document.createElement('label');
    const input = Object.assign(document.createElement('input'), { type: 'range' });
    Object.assign(input, { min: String(low), max: String(high), step: String(step) });
    input.value = String(value);
    const shown = document.createElement('output');
    shown.textContent = found.text;
    row.append(found.name, input, shown);
    const bound: Bound = { from: found.from, to: found.to, row };
    input.oninput = () => {
      shown.textContent = String(Number(Number(input.value).toPrecision(6)));
      this.#write(bound, shown.textContent);
    };
    this.#bound.push(bound);
    this.#place.insertBefore(row, this.#add);
    this.follow(null);
  }

  #write(bound: Bound, text: string): void {
    const { from, to } = bound;
    this.#view.dispatch({ changes: { from, to, insert: text } });
    [bound.from, bound.to] = [from, from + text.length];
    this.#onChange();
  }

  #remove(one: Bound): void {
    one.row.remove();
    this.#bound.splice(this.#bound.indexOf(one), 1);
  }
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));
