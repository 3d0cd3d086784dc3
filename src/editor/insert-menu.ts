import {
  autocompletion,
  closeCompletion,
  type CompletionContext,
  completionStatus,
  selectedCompletionIndex,
} from '@codemirror/autocomplete'
import { type EditorState, Prec } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'

import type { holdPlaces } from './held-places.ts'
import { insertItem, type MarkdownInsert } from './insert-item.ts'
import { matchRanks, rankMatch } from './match-words.ts'

type Suggest = (typed: string) => Promise<readonly MarkdownInsert[]>

export type InsertMenu = {
  inserts: readonly MarkdownInsert[]
  /** More inserts that match the text after a slash. */
  suggest: Suggest
  /** Inserts that match the text after `@`. */
  suggestMentions: Suggest
} & Pick<ReturnType<typeof holdPlaces>, 'hold' | 'watch'>

/** The menu of inserts after a slash or an `@`. */
export function insertMenu(menu: InsertMenu) {
  let isWaiting = false
  /** Enter while the menu searches waits for the result. A second Enter meanwhile is a line break, as elsewhere. */
  const enter = (view: EditorView) => {
    const { main } = view.state.selection
    const asked = main.empty ? askedAt(view.state, main.head) : undefined
    const status = completionStatus(view.state)
    if (!asked || isWaiting || status === null) return false
    if (status === 'active' && (asked.typed !== '' || asked.isLineStart || selectedCompletionIndex(view.state) !== 0))
      return false
    closeCompletion(view)
    if (status === 'active' || asked.typed === '') return false
    isWaiting = true
    void insertMeant(view, asked, menu).finally(() => (isWaiting = false))
    return true
  }
  return [
    autocompletion({ override: [(context) => openMenu(context, menu)], icons: false, interactionDelay: 0 }),
    Prec.high(keymap.of([{ key: 'Enter', run: enter }])),
  ]
}

async function openMenu(context: CompletionContext, menu: InsertMenu) {
  const { state, pos } = context
  const asked = askedAt(state, pos)
  if (!asked) return null
  const found = await find(asked, menu)
  if (context.aborted) return null
  const options = found.map((item) => ({
    label: item.label,
    detail: item.detail,
    apply: (view: EditorView, _: unknown, from: number, to: number) => insertItem(view, item, menu.hold, { from, to }),
  }))
  // CodeMirror doesn't filter, because a match may be words of a name in any order, or an id that the label doesn't
  // show.
  return { from: pos - asked.typed.length - 1, options, filter: false }
}

/** The text after a slash or an `@`. */
type Asked = { mark: string; typed: string; isLineStart: boolean }

async function find({ mark, typed }: Asked, { inserts, suggest, suggestMentions }: InsertMenu) {
  if (mark === '@') return suggestMentions(typed)
  const own = inserts.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
  return [...own, ...(await suggest(typed))]
}

function askedAt({ doc }: EditorState, at: number): Asked | undefined {
  const line = doc.lineAt(at)
  const [, before, mark, typed] = /(^|\s)([/@])([^\s/@]*)$/.exec(line.text.slice(0, at - line.from)) ?? []
  if (mark === undefined || typed === undefined) return undefined
  return { mark, typed, isLineStart: before === '' }
}

/** Inserts what was meant by the typed word, without the menu having been seen, or else the line break. */
async function insertMeant(view: EditorView, asked: Asked, menu: InsertMenu) {
  const place = menu.watch(view.state.selection.main.head)
  const found = await find(asked, menu).catch(() => [])
  const { from, to } = place.end()
  const { doc } = view.state
  const word = { from: from - asked.typed.length - 1, to: from }
  const isUnchanged = doc.sliceString(Math.max(0, word.from), word.to) === `${asked.mark}${asked.typed}`
  const meant = found.find((item) => isMeant(item, asked, menu))
  // Text typed in the meantime is moved to the new cursor position.
  if (meant && isUnchanged)
    return insertItem(view, meant, menu.hold, { from: word.from, to, typed: doc.sliceString(from, to) })
  const line = doc.lineAt(from)
  const insert = `\n${/^\s*/.exec(doc.sliceString(line.from, from))?.[0] ?? ''}`
  const { head } = view.state.selection.main
  return view.dispatch({
    changes: { from, insert },
    selection: { anchor: head < from ? head : head + insert.length },
    scrollIntoView: true,
    userEvent: 'input',
  })
}

/**
 * Whether Enter means this item although the menu was not shown yet. `/api` in a sentence is a word, `/table` at the
 * start of a line is a command, and `@ada` is a person of that name but no run whose id has these letters.
 */
function isMeant(item: MarkdownInsert, { mark, typed, isLineStart }: Asked, { inserts }: InsertMenu) {
  const [, kind, words = ''] = /^(?:(\w+):)?(.*)$/.exec(typed) ?? []
  if (mark === '/' && kind === undefined && !(isLineStart && inserts.includes(item))) return false
  return rankMatch(item.label, words) <= matchRanks.wordStart
}
