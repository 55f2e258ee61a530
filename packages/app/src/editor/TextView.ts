import { closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { type ChangeDesc, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { Mistake } from '../session/messages.js';
import { colors } from './colors.js';

/** What a text of the editor is made with. */
export interface TextViewOptions {
  readonly parent: HTMLElement;
  readonly label: string;
  readonly text: string;
  readonly extensions: Extension;
  /** Told of every change, and with null when the cursor moves. */
  onChange(changes: ChangeDesc | null): void;
}

/** One text with its marks. */
export class TextView {
  readonly view: EditorView;

  constructor({ parent, label, text, extensions, onChange }: TextViewOptions) {
    this.view = new EditorView({
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
          extensions,
          ...colors,
          // Tab leaves the editor after Escape, as everywhere in CodeMirror.
          keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of(({ docChanged, selectionSet, changes }) => {
            if (docChanged) onChange(changes);
            else if (selectionSet) onChange(null);
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    const { length } = this.view.state.doc;
    this.view.dispatch({ changes: { from: 0, to: length, insert: text } });
  }

  /** Shows these marks and no others. */
  mark(mistakes: readonly Mistake[]): void {
    const { state } = this.view;
    this.view.dispatch(
      setDiagnostics(
        state,
        mistakes.flatMap((one) => this.#markOf(one)),
      ),
    );
  }

  /** Puts the cursor where a mistake is. */
  goTo({ line, column }: Mistake): void {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return;
    const { from, to } = doc.line(line);
    const anchor = Math.min(to, from + column - 1);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }

  #markOf({ message, line, column, length, severity }: Mistake): Diagnostic[] {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return [];
    const { from, to } = doc.line(line);
    const begin = Math.min(to, from + column - 1);
    return [{ from: begin, to: Math.min(to, begin + Math.max(1, length)), severity, message }];
  }
}
