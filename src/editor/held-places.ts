import { EditorView } from '@codemirror/view'

/** A place in the text that moves with its words while the text changes. */
export type HeldPlace = {
  /** Inserts a text in lines of its own. The cursor stays where it is. */
  insert: (text: string) => void
  /** Inserts a text as if it were typed: within the line or in lines of its own, with the cursor behind it. */
  type: (text: string, isBlock: boolean) => void
}

/** Holds places for texts that arrive later, such as the image of an upload. */
export function holdPlaces() {
  const held = new Set<{ at: number }>()
  const watched = new Set<{ from: number; to: number }>()
  const extension = EditorView.updateListener.of(({ docChanged, changes }) => {
    if (!docChanged) return
    for (const place of held) place.at = changes.mapPos(place.at, 1)
    for (const range of watched) {
      range.from = changes.mapPos(range.from, -1)
      range.to = changes.mapPos(range.to, 1)
    }
  })
  /** Watches a place; `end` returns the range of the text that was inserted there in the meantime. */
  const watch = (at: number) => {
    const range = { from: at, to: at }
    watched.add(range)
    return {
      end() {
        watched.delete(range)
        return range
      },
    }
  }
  const hold = (view: EditorView, at: number): HeldPlace => {
    const place = { at }
    held.add(place)
    return {
      insert: (text) => view.dispatch({ changes: asBlock(view, place.at, text), userEvent: 'input' }),
      type(text, isBlock) {
        const change = isBlock ? asBlock(view, place.at, text) : { from: place.at, insert: text }
        const anchor = change.from + change.insert.length
        view.dispatch({ changes: change, selection: { anchor }, userEvent: 'input', scrollIntoView: true })
        view.focus()
      },
    }
  }
  return { extension, hold, watch }
}

function asBlock({ state: { doc } }: EditorView, at: number, text: string) {
  const line = doc.lineAt(at)
  const [before, after] = [line.text.slice(0, at - line.from), line.text.slice(at - line.from)]
  const isUnderText = line.number > 1 && doc.line(line.number - 1).text.trim() !== ''
  const lead = before.trim() !== '' ? '\n\n' : isUnderText ? '\n' : ''
  return { from: at, insert: `${lead}${text}${after.trim() === '' ? '\n' : '\n\n'}` }
}
