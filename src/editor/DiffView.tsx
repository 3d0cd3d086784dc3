import { yaml } from '@codemirror/lang-yaml'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useCallback } from 'react'

import { cspNonce } from '#src/ui/csp-nonce.ts'
import { diffTheme } from './diff-theme.ts'
import { editorTheme } from './editor-theme.ts'

type Side = { label: string; text: string }

type Props = {
  before: Side
  after: Side
  /** One column, for narrow screens. */
  isUnified: boolean
  /** Also the long stretches that are the same on both sides. */
  showsAll: boolean
}

const readOnly = (label: string) => [
  editorTheme,
  diffTheme,
  yaml(),
  lineNumbers(),
  EditorView.lineWrapping,
  EditorView.editable.of(false),
  EditorState.readOnly.of(true),
  EditorView.cspNonce.of(cspNonce),
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
]

/** Two texts beside each other, or one column of what came and went. */
export function DiffView({ before, after, isUnified, showsAll }: Props) {
  const [labelA, textA, labelB, textB] = [before.label, before.text, after.label, after.text]
  const show = useCallback(
    (parent: HTMLDivElement | null) => {
      if (!parent) return undefined
      const options = { gutter: true, ...(showsAll ? {} : { collapseUnchanged: { margin: 3, minSize: 6 } }) }
      const unified = () => unifiedMergeView({ original: textA, mergeControls: false, ...options })
      const view = isUnified
        ? new EditorView({ parent, doc: textB, extensions: [readOnly(`${labelA} → ${labelB}`), unified()] })
        : new MergeView({
            parent,
            a: { doc: textA, extensions: readOnly(labelA) },
            b: { doc: textB, extensions: readOnly(labelB) },
            ...options,
          })
      return () => view.destroy()
    },
    [labelA, textA, labelB, textB, isUnified, showsAll],
  )
  return <div ref={show} />
}
