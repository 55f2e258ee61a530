import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colors of the editor in light and dark; all have a contrast of 4.5 and more. */
export const colors = [
  EditorView.theme({
    '&': { color: 'var(--ink)', backgroundColor: 'var(--back)', fontSize: '13px' },
    '.cm-gutters': {
      color: 'var(--quiet)',
      backgroundColor: 'var(--panel)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-content': { caretColor: 'var(--ink)', fontFamily: 'ui-monospace, monospace' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-tooltip': {
      color: 'var(--ink)',
      backgroundColor: 'var(--panel)',
      border: '1px solid var(--line)',
      maxWidth: '34em',
    },
    '.cm-tooltip-hover': { padding: '4px 8px' },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'light-dark(#cfe4f7, #29435c) !important',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
      { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
      { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#7a3e00, #f0b479)' },
    ]),
  ),
];
