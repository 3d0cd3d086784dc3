import { startCompletion } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

import type { HeldPlace } from './held-places.ts'

/** An insert of the slash menu or the toolbar. A block gets lines of its own; the cursor goes to `‸`. */
export type MarkdownInsert = {
  label: string
  detail: string
  text: string
  isBlock: boolean
  /** Called instead of inserting the text, with the place for it. */
  open?: (place: HeldPlace) => void
}

export type Hold = (view: EditorView, at: number) => HeldPlace

/** `typed` is text from after `to`, which moves to the new cursor position. */
type Range = { from: number; to: number; typed?: string }

const caret = '‸'

export function insertItem(view: EditorView, item: MarkdownInsert, hold: Hold, { from, to, typed = '' }: Range) {
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
