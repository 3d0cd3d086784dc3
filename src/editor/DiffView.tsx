import { yaml } from '@codemirror/lang-yaml'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { Decoration, EditorView, lineNumbers } from '@codemirror/view'
import { useCallback } from 'react'

import { cspNonce } from '#src/ui/csp-nonce.ts'
import { editorTheme } from './editor-theme.ts'

const removed = { backgroundColor: 'var(--status-failed-soft)' }
const added = { backgroundColor: 'var(--status-passed-soft)' }
const removedText = { background: 'color-mix(in srgb, var(--status-failed-fill) 24%, transparent)' }
const addedText = { background: 'color-mix(in srgb, var(--status-passed-fill) 24%, transparent)' }
const bar = (colour: string) => ({ background: colour })

/**
 * Removed and added text in the status colors. The selectors are longer than those of the merge package, which use
 * &light.
 */
const diffTheme = EditorView.theme({
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

type Side = { label: string; text: string; firstLine?: number | undefined }

type Props = {
  before: Side
  after: Side
  /** One column, for narrow screens. */
  isUnified: boolean
  /** Colors the text as YAML; otherwise it is plain. */
  isYaml?: boolean
  /** Shows long unchanged stretches too. */
  showsAll: boolean
}

/** An empty text has no lines, although the editor draws one. */
const numbers = (text: string, firstLine: number) =>
  text === '' ? [] : lineNumbers({ formatNumber: (line) => String(line + firstLine - 1) })

/** Every line of a text that only one side has. */
const everyLine = (side: 'a' | 'b') => [
  EditorView.editorAttributes.of({ class: `cm-merge-${side}` }),
  EditorView.decorations.compute(['doc'], ({ doc }) =>
    Decoration.set(Array.from({ length: doc.lines }, (_, line) => changedLine.range(doc.line(line + 1).from))),
  ),
]
const changedLine = Decoration.line({ class: 'cm-changedLine' })

const readOnly = (label: string, isYaml: boolean) => [
  editorTheme,
  diffTheme,
  isYaml ? yaml() : [],
  EditorView.lineWrapping,
  EditorView.editable.of(false),
  EditorState.readOnly.of(true),
  EditorView.cspNonce.of(cspNonce),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
]

/** Two texts side by side, or in one column with removed and added lines. */
export function DiffView({ before, after, isUnified, showsAll, isYaml = false }: Props) {
  const [labelA, textA, labelB, textB] = [before.label, before.text, after.label, after.text]
  const [firstA, firstB] = [before.firstLine ?? 1, after.firstLine ?? 1]
  const show = useCallback(
    (parent: HTMLDivElement | null) => {
      if (!parent) return undefined
      const options = {
        gutter: true,
        // Very different texts get coarser marks instead of a frozen page.
        diffConfig: { scanLimit: 500, timeout: 500 },
        ...(showsAll ? {} : { collapseUnchanged: { margin: 3, minSize: 6 } }),
      }
      const [numbersA, numbersB] = [numbers(textA, firstA), numbers(textB, firstB)]
      const both = readOnly(`${labelA} → ${labelB}`, isYaml)
      const oneSide = (text: string, side: 'a' | 'b') => {
        const lines = text.replace(/\n$/, '')
        const extensions = [both, side === 'a' ? numbersA : numbersB, everyLine(side)]
        return new EditorView({ parent, doc: lines, extensions })
      }
      const unified = () => {
        if (textB === '') return oneSide(textA, 'a')
        if (textA === '') return oneSide(textB, 'b')
        const marks = unifiedMergeView({ original: textA, mergeControls: false, ...options })
        return new EditorView({ parent, doc: textB, extensions: [both, numbersB, marks] })
      }
      const view = isUnified
        ? unified()
        : new MergeView({
            parent,
            a: { doc: textA, extensions: [readOnly(labelA, isYaml), numbersA] },
            b: { doc: textB, extensions: [readOnly(labelB, isYaml), numbersB] },
            ...options,
          })
      return () => view.destroy()
    },
    [labelA, textA, firstA, labelB, textB, firstB, isUnified, showsAll, isYaml],
  )
  return <div ref={show} />
}
