import { closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { button } from '../page/elements.js';
import type { Link } from '../page/Link.js';
import type { Mistake } from '../session/messages.js';
import { colors } from './colors.js';

/** Milliseconds without a key after which the text is checked. */
const PAUSE = 250;

/** The text of the simulation. Mistakes are shown at their places, and below as a list. */
export class Editor {
  readonly #view: EditorView;
  readonly #list: HTMLElement;
  readonly #link: Link;
  #check = 0;
  #timer = 0;

  constructor(parent: HTMLElement, list: HTMLElement, link: Link, text: string) {
    this.#list = list;
    this.#link = link;
    this.#view = new EditorView({
      parent,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          yaml(),
          ...colors,
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': 'Simulation in YAML' }),
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged) this.#checkSoon();
          }),
        ],
      }),
    });
    link.on('checked', ({ id, mistakes }) => {
      if (id === this.#check) this.show(mistakes);
    });
    link.on('phase', ({ mistakes }) => {
      if (mistakes) this.show(mistakes);
    });
    this.#checkSoon();
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  set text(text: string) {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ changes: { from: 0, to: length, insert: text } });
  }

  /** Marks mistakes in the text, and lists them. */
  show(mistakes: readonly Mistake[]): void {
    const { state } = this.#view;
    this.#view.dispatch(
      setDiagnostics(
        state,
        mistakes.flatMap((one) => this.#mark(one)),
      ),
    );
    const entries = mistakes.map((mistake) => {
      const place = mistake.line > 0 ? `line ${mistake.line}: ` : '';
      const item = document.createElement('li');
      item.append(button(`${place}${mistake.message}`, 'Go there', () => this.#goTo(mistake)));
      return item;
    });
    this.#list.replaceChildren(...entries);
  }

  #mark({ message, line, column, length, severity }: Mistake): Diagnostic[] {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return [];
    const { from, to } = doc.line(line);
    const begin = Math.min(to, from + column - 1);
    return [{ from: begin, to: Math.min(to, begin + Math.max(1, length)), severity, message }];
  }

  #goTo({ line, column }: Mistake): void {
    const { doc } = this.#view.state;
    if (line < 1 || line > doc.lines) return;
    const { from, to } = doc.line(line);
    const anchor = Math.min(to, from + column - 1);
    this.#view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.#view.focus();
  }

  #checkSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#link.ask({ kind: 'check', text: this.text, id: ++this.#check });
    }, PAUSE) as unknown as number;
  }
}
