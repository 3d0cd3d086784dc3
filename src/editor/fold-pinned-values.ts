import { type EditorState, RangeSetBuilder, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view'

import { bytes } from '#src/format/numbers.ts'

/** Shorter values stay as they are. */
const minFolded = 60

const name = 'value: '

/** Shows how much text it hides. The text itself stays in the document, so it is copied and saved as before. */
class PinnedValue extends WidgetType {
  readonly length: number

  constructor(length: number) {
    super()
    this.length = length
  }

  override eq(other: PinnedValue) {
    return other.length === this.length
  }

  toDOM() {
    const label = document.createElement('span')
    label.className = 'cm-pinned-value'
    label.textContent = `pinned data, ${bytes(this.length)}`
    return label
  }
}

/** The values in the blocks of pinned figures: the line after the fingerprint. */
export function pinnedValues({ doc }: Pick<EditorState, 'doc'>): { from: number; to: number }[] {
  const values: { from: number; to: number }[] = []
  let isNext = false
  let start = 0
  for (const text of doc.iterLines()) {
    if (isNext && text.startsWith(name) && text.length >= minFolded)
      values.push({ from: start + name.length, to: start + text.length })
    isNext = text.startsWith('fingerprint: ')
    start += text.length + 1
  }
  return values
}

function decorate(state: EditorState): DecorationSet {
  const folded = new RangeSetBuilder<Decoration>()
  for (const { from, to } of pinnedValues(state))
    folded.add(from, to, Decoration.replace({ widget: new PinnedValue(to - from) }))
  return folded.finish()
}

/** Shows the data of a pinned figure as a few words. The cursor steps over them. */
export const foldPinnedValues = StateField.define<DecorationSet>({
  create: decorate,
  update: (folded, { docChanged, state }) => (docChanged ? decorate(state) : folded),
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.atomicRanges.of((view) => view.state.field(field)),
  ],
})
