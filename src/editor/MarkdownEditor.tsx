import { autocompletion, type CompletionContext, completionStatus, startCompletion } from '@codemirror/autocomplete'
import { defineLanguageFacet, Language } from '@codemirror/language'
import { type EditorState, Prec, Text, Transaction } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { GFM, parser } from '@lezer/markdown'
import CodeMirror from '@uiw/react-codemirror'
import { useMemo, useState } from 'react'

import { cspNonce } from '#src/ui/csp-nonce.ts'
import { acceptImages } from './accept-images.ts'
import { editorTheme } from './editor-theme.ts'
import { foldPinnedValues } from './fold-pinned-values.ts'
import { type HeldPlace, holdPlaces } from './held-places.ts'
import { markdownTheme } from './markdown-theme.ts'
import type { Hunk } from './text-hunks.ts'

/** An insert of the slash menu or the toolbar. A block gets lines of its own; the cursor goes to `‸`. */
export type MarkdownInsert = {
  label: string
  detail: string
  text: string
  isBlock: boolean
  /** Called instead of inserting the text, with the place for it. */
  open?: (place: HeldPlace) => void
}

export type MarkdownHandle = {
  /** Applies others' edits. The cursor stays in its text, and undo ignores them. */
  apply: (changes: readonly Hunk[]) => void
  /** Applies the reader's own changes made outside the editor; undo reverts them. */
  change: (changes: readonly Hunk[]) => void
  insert: (item: MarkdownInsert) => void
  /** Adds the mark around the selection, or removes it. */
  wrap: (mark: string) => void
  /** Where the cursor is; null while the editor has no focus. */
  cursor: () => number | null
  /** Holds the place of the cursor. */
  hold: () => HeldPlace
  focus: () => void
}

type Suggest = (typed: string) => Promise<readonly MarkdownInsert[]>

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  /** Ctrl/⌘ S. */
  onSave: () => void
  inserts: readonly MarkdownInsert[]
  /** More inserts that match the text after a slash. */
  suggest: Suggest
  /** Inserts that match the text after `@`. */
  suggestMentions: Suggest
  /** Called for pasted and dropped images. */
  onImages: (files: readonly File[], place: HeldPlace) => void
  onReady: (handle: MarkdownHandle) => void
}

const basics = { autocompletion: false, foldGutter: false, lineNumbers: false, highlightActiveLine: false } as const

const markdown = new Language(defineLanguageFacet(), parser.configure([GFM]), [], 'markdown')

export function MarkdownEditor({
  label,
  value,
  onChange,
  onSave,
  inserts,
  suggest,
  suggestMentions,
  onImages,
  onReady,
}: Props) {
  const [places] = useState(holdPlaces)
  const extensions = useMemo(() => {
    const menu: FillMenu = { inserts, suggest, suggestMentions, hold: places.hold }
    return [
      markdownTheme,
      editorTheme,
      markdown,
      foldPinnedValues,
      EditorView.lineWrapping,
      places.extension,
      acceptImages((files, view, at) => onImages(files, places.hold(view, at))),
      EditorView.cspNonce.of(cspNonce),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
      autocompletion({
        override: [(context) => openMenu(context, menu)],
        icons: false,
        interactionDelay: 0,
      }),
      Prec.high(keymap.of([{ key: 'Enter', run: (view) => acceptSoon(view, menu) }])),
      keymap.of([{ key: 'Mod-s', preventDefault: true, run: () => (onSave(), true) }]),
    ]
  }, [label, inserts, suggest, suggestMentions, onSave, onImages, places])
  return (
    <CodeMirror
      value={value}
      onChange={onChange}
      theme="none"
      basicSetup={basics}
      indentWithTab={false}
      extensions={extensions}
      onCreateEditor={(view) => onReady(handleOf(view, places.hold))}
    />
  )
}

type FillMenu = Pick<Props, 'inserts' | 'suggest' | 'suggestMentions'> & Pick<ReturnType<typeof holdPlaces>, 'hold'>

async function openMenu(context: CompletionContext, menu: FillMenu) {
  const { state, pos } = context
  const asked = askedAt(state, pos)
  if (!asked) return null
  const found = await find(asked, menu)
  if (context.aborted) return null
  const options = found.map((item) => ({
    label: item.label,
    detail: item.detail,
    apply: (view: EditorView, _: unknown, start: number, end: number) => put(view, item, menu.hold, start, end),
  }))
  // CodeMirror doesn't filter, because a match may be words of a name in any order, or an id that the label doesn't
  // show.
  return { from: pos - asked.typed.length - 1, options, filter: false }
}

/** The text after a slash or an `@`. */
type Asked = { mark: string; typed: string }

async function find({ mark, typed }: Asked, { inserts, suggest, suggestMentions }: FillMenu) {
  if (mark === '@') return suggestMentions(typed)
  const own = inserts.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  return [...own, ...(await suggest(typed))]
}

function askedAt({ doc }: EditorState, at: number): Asked | undefined {
  const line = doc.lineAt(at)
  const [, mark, typed] = /(?:^|\s)([/@])([^\s/@]*)$/.exec(line.text.slice(0, at - line.from)) ?? []
  return mark === undefined || typed === undefined ? undefined : { mark, typed }
}

/** If Enter is pressed while the menu still searches, inserts the first match instead of a line break. */
function acceptSoon(view: EditorView, menu: FillMenu) {
  const { main } = view.state.selection
  const asked = askedAt(view.state, main.head)
  if (completionStatus(view.state) !== 'pending' || !asked) return false
  void insertFirst(view, { ...asked, to: main.head }, menu)
  return true
}

async function insertFirst(view: EditorView, { to, ...asked }: Asked & { to: number }, menu: FillMenu) {
  const { doc } = view.state
  const [first] = await find(asked, menu)
  const { doc: now, selection } = view.state
  // Text typed in the meantime is moved to the new cursor position. After any other change nothing is inserted.
  const since = now.sliceString(to, Math.max(to, selection.main.head))
  const isTypedOn = doc.replace(to, to, Text.of(since.split('\n'))).eq(now)
  if (first && isTypedOn) put(view, first, menu.hold, to - asked.typed.length - 1, to + since.length, since)
}

type Hold = FillMenu['hold']

const caret = '‸'

/** Moves `typed` to the new cursor position. */
function put(view: EditorView, item: MarkdownInsert, hold: Hold, from: number, to: number, typed = '') {
  const { text, isBlock, open } = item
  if (open) {
    view.dispatch({ changes: { from, to, insert: typed }, selection: { anchor: from + typed.length } })
    return open(hold(view, from))
  }
  const { doc } = view.state
  const before = isBlock && doc.sliceString(Math.max(0, from - 2), from) !== '\n\n' && from > 0
  const isLineStart = doc.lineAt(from).from === from
  const lead = before ? (isLineStart ? '\n' : '\n\n') : ''
  const insert = `${lead}${text}${isBlock ? '\n' : ''}`
  const at = insert.includes(caret) ? insert.indexOf(caret) : insert.length
  const rest = insert.slice(at).replace(caret, '')
  view.dispatch({
    changes: { from, to, insert: insert.slice(0, at) + typed + rest },
    selection: { anchor: from + at + typed.length },
    scrollIntoView: true,
  })
  view.focus()
  if (/^\/\w+:/.test(text)) startCompletion(view)
  return undefined
}

function handleOf(view: EditorView, hold: Hold): MarkdownHandle {
  return {
    apply: (changes) =>
      view.dispatch({
        changes: changes.map(({ from, to, insert }) => ({ from, to, insert })),
        annotations: Transaction.addToHistory.of(false),
      }),
    change: (changes) => view.dispatch({ changes: [...changes], userEvent: 'input' }),
    insert(item) {
      const { from, to } = view.state.selection.main
      put(view, item, hold, from, to)
    },
    wrap(mark) {
      const { from, to } = view.state.selection.main
      const text = view.state.sliceDoc(from, to)
      const isWrapped = text.length >= 2 * mark.length && text.startsWith(mark) && text.endsWith(mark)
      const insert = isWrapped ? text.slice(mark.length, -mark.length) : `${mark}${text}${mark}`
      const anchor = text === '' ? from + mark.length : from
      const head = text === '' ? anchor : from + insert.length
      view.dispatch({ changes: { from, to, insert }, selection: { anchor, head } })
      view.focus()
    },
    cursor: () => (view.hasFocus ? view.state.selection.main.head : null),
    hold: () => hold(view, view.state.selection.main.head),
    focus: () => view.focus(),
  }
}
