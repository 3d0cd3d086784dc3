import { EditorView } from '@codemirror/view'

const removed = { backgroundColor: 'var(--status-failed-soft)' }
const added = { backgroundColor: 'var(--status-passed-soft)' }
const removedText = { background: 'color-mix(in srgb, var(--status-failed-fill) 24%, transparent)' }
const addedText = { background: 'color-mix(in srgb, var(--status-passed-fill) 24%, transparent)' }
const bar = (colour: string) => ({ background: colour })

/** Removed and added in the colours of statuses; the merge package's own are named with &light, so these name more. */
export const diffTheme = EditorView.theme({
  '&.cm-editor.cm-merge-a .cm-changedLine, &.cm-editor .cm-deletedChunk': removed,
  '&.cm-editor.cm-merge-b .cm-changedLine, &.cm-editor .cm-inlineChangedLine': added,
  '&.cm-editor.cm-merge-a .cm-changedText, &.cm-editor .cm-deletedChunk .cm-deletedText': removedText,
  '&.cm-editor.cm-merge-b .cm-changedText': addedText,
  '&.cm-editor.cm-merge-a .cm-changedLineGutter, &.cm-editor .cm-deletedLineGutter': bar('var(--status-failed-fill)'),
  '&.cm-editor.cm-merge-b .cm-changedLineGutter': bar('var(--status-passed-fill)'),
  '&.cm-editor .cm-collapsedLines': {
    padding: '2px 12px',
    color: 'var(--text-muted)',
    background: 'var(--surface-sunken)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '12px',
  },
  '&.cm-editor .cm-collapsedLines::before, &.cm-editor .cm-collapsedLines::after': { content: '"⋯"' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
})
