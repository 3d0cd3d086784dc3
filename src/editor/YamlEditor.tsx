import { Prec } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import CodeMirror from '@uiw/react-codemirror'
import { useMemo } from 'react'

import { cspNonce } from '#src/ui/csp-nonce.ts'
import type { Problem } from './check-text.ts'
import { definitionSupport } from './definition-support.ts'
import { editorTheme } from './editor-theme.ts'

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Ctrl/⌘ Enter. */
  onSubmit: () => void
  /** What the server found in this very text. */
  serverProblems: readonly Problem[]
  /** Given the view once, so that a list of problems can lead to their lines. */
  onReady?: (goTo: (position: number) => void) => void
}

const basics = { autocompletion: false, foldGutter: false, highlightActiveLineGutter: true, lintKeymap: true } as const

export function YamlEditor({ label, value, onChange, onSubmit, serverProblems, onReady }: Props) {
  const extensions = useMemo(
    () => [
      editorTheme,
      EditorView.cspNonce.of(cspNonce),
      EditorView.contentAttributes.of({ 'aria-label': label }),
      definitionSupport(serverProblems),
    ],
    [label, serverProblems],
  )
  const submitKey = useMemo(
    () => Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => (onSubmit(), true) }])),
    [onSubmit],
  )
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      theme="none"
      basicSetup={basics}
      indentWithTab={false}
      extensions={[...extensions, submitKey]}
      onCreateEditor={(view) => onReady?.((position) => goTo(view, position))}
    />
  )
}

function goTo(view: EditorView, position: number) {
  const anchor = Math.min(position, view.state.doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}
