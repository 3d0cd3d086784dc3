import { EditorView, placeholder } from '@codemirror/view'
import CodeMirror, { type ReactCodeMirrorRef } from '@uiw/react-codemirror'
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef } from 'react'

import { cspNonce } from '#src/ui/csp-nonce.ts'
import { editorTheme } from './editor-theme.ts'
import { positionOf, type SqlProblem, sqlSupport } from './sql-support.ts'

export type SqlEditorHandle = { goTo: (problem: SqlProblem) => void }

type Props = {
  label: string
  value: string
  /** Absent where the text is only shown. */
  onChange?: (value: string) => void
  /** Ctrl/⌘ Enter. */
  onRun?: () => void
  problems?: readonly SqlProblem[]
  hint?: string
  ref?: Ref<SqlEditorHandle>
}

const written = { autocompletion: false, foldGutter: false, lintKeymap: true } as const
const shown = { ...written, highlightActiveLine: false, highlightActiveLineGutter: false } as const
const noProblems: readonly SqlProblem[] = []

/** SQL in ClickHouse's dialect, over the tables of `#contract/analytics-schema.ts`. */
export function SqlEditor({ label, value, onChange, onRun, problems = noProblems, hint = '', ref }: Props) {
  const editor = useRef<ReactCodeMirrorRef>(null)
  const isReadOnly = !onChange
  useImperativeHandle(ref, () => ({
    goTo: (problem) => {
      const view = editor.current?.view
      if (view) goTo(view, positionOf(view.state.doc, problem) ?? 0)
    },
  }))
  const extensions = useMemo(
    () => [
      editorTheme,
      EditorView.lineWrapping,
      EditorView.cspNonce.of(cspNonce),
      EditorView.contentAttributes.of({ 'aria-label': label }),
      placeholder(hint),
      sqlSupport(problems),
    ],
    [label, hint, problems],
  )
  // Captured before the editor sees it: there the key would insert a line.
  const runOnModEnter = (event: KeyboardEvent) => {
    if (!onRun || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    onRun()
  }
  return (
    <CodeMirror
      ref={editor}
      value={value}
      onChange={onChange}
      readOnly={isReadOnly}
      theme="none"
      basicSetup={isReadOnly ? shown : written}
      indentWithTab={false}
      extensions={extensions}
      onKeyDownCapture={runOnModEnter}
    />
  )
}

function goTo(view: EditorView, anchor: number) {
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
  view.focus()
}
