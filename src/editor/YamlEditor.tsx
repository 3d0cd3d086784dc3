import { EditorView } from '@codemirror/view'
import CodeMirror from '@uiw/react-codemirror'
import { type KeyboardEvent, useMemo } from 'react'

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
  /** The server's errors for exactly this text. */
  serverProblems: readonly Problem[]
  /** Receives the view once, so that a list of problems can link to their lines. */
  onReady?: (goTo: (position: number) => void) => void
}

const basics = { autocompletion: false, foldGutter: false, highlightActiveLineGutter: true, lintKeymap: true } as const

export function YamlEditor({ label, value, onChange, onSubmit, serverProblems, onReady }: Props) {
  const extensions = useMemo(
    () => [
      editorTheme,
      EditorView.lineWrapping,
      EditorView.cspNonce.of(cspNonce),
      EditorView.contentAttributes.of({ 'aria-label': label }),
      definitionSupport(serverProblems),
    ],
    [label, serverProblems],
  )
  // Captured before the editor handles the key and inserts a line.
  const submitOnModEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    onSubmit()
  }
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      theme="none"
      basicSetup={basics}
      indentWithTab={false}
      extensions={extensions}
      onKeyDownCapture={submitOnModEnter}
      onCreateEditor={(view) => onReady?.((position) => goTo(view, position))}
    />
  )
}

function goTo(view: EditorView, position: number) {
  const anchor = Math.min(position, view.state.doc.length)
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}
