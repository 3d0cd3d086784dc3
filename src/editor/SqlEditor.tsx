import { EditorView, placeholder } from '@codemirror/view'
import CodeMirror, { type ReactCodeMirrorRef } from '@uiw/react-codemirror'
import { type KeyboardEvent, type Ref, useCallback, useEffect, useImperativeHandle, useMemo, useRef } from 'react'

import { cspNonce } from '#src/ui/csp-nonce.ts'
import { editorTheme } from './editor-theme.ts'
import { partOf, type SqlPart } from './sql-part.ts'
import { positionOf, type SqlProblem, sqlSupport } from './sql-support.ts'

export type SqlEditorHandle = {
  goTo: (problem: SqlProblem) => void
  /** The selection, if it is only part of the text. */
  selection: () => SqlPart | null
  /** Inserts text at the cursor and moves the cursor after it. */
  insert: (text: string) => void
}

type Props = {
  label: string
  value: string
  /** Omitted for read-only text. */
  onChange?: (value: string) => void
  /** Ctrl/⌘ Enter. */
  onRun?: () => void
  /** Called with true while part of the text is selected. */
  onSelection?: (hasSelection: boolean) => void
  problems?: readonly SqlProblem[]
  hint?: string
  ref?: Ref<SqlEditorHandle>
}

const written = { autocompletion: false, foldGutter: false, lintKeymap: true } as const
const shown = { ...written, highlightActiveLine: false, highlightActiveLineGutter: false } as const
const noProblems: readonly SqlProblem[] = []

/** Edits SQL in ClickHouse's dialect with the tables of `#contract/sql-tables.ts`. */
export function SqlEditor(props: Props) {
  const { label, value, onChange, onRun, onSelection, problems = noProblems, hint = '', ref } = props
  const editor = useRef<ReactCodeMirrorRef>(null)
  const isReadOnly = !onChange
  useImperativeHandle(ref, () => ({
    goTo: (problem) => {
      const view = editor.current?.view
      if (view) goTo(view, positionOf(view.state.doc, problem) ?? 0)
    },
    selection: () => {
      const state = editor.current?.view?.state
      return state ? partOf(state) : null
    },
    insert: (text) => {
      const view = editor.current?.view
      if (!view) return
      view.dispatch(view.state.replaceSelection(text))
      view.focus()
    },
  }))
  const extensions = useMemo(
    () => [
      editorTheme,
      EditorView.lineWrapping,
      EditorView.cspNonce.of(cspNonce),
      // Escape closes the completion list, not the dialog around the editor.
      EditorView.contentAttributes.of({ 'aria-label': label, 'data-mantine-stop-propagation': 'true' }),
      placeholder(hint),
      sqlSupport(problems),
      EditorView.updateListener.of(({ state }) => onSelection?.(partOf(state) !== null)),
    ],
    [label, hint, problems, onSelection],
  )
  // A new handler would rebuild the editor, so it gets a stable one.
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  const change = useCallback((text: string) => latest.current?.(text), [])
  // Captured before the editor handles the key and inserts a line.
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
      onChange={change}
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
