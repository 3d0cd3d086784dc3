import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

import { htmlToMarkdown, linkAddress } from './html-to-markdown.ts'

/**
 * A pasted table becomes a Markdown table, a pasted link a Markdown link, and an address pasted over words links them.
 * Pasting as plain text (Ctrl Shift V) brings no HTML, and code stays as it was copied.
 */
export const pasteMarkdown = EditorView.domEventHandlers({
  paste({ clipboardData }, view) {
    if (!clipboardData || isInCode(view.state)) return false
    const selected = view.state.sliceDoc(view.state.selection.main.from, view.state.selection.main.to)
    const address = linkAddress(clipboardData.getData('text/plain'))
    const markdown =
      address !== null && isWords(selected)
        ? `[${selected}](<${address}>)`
        : htmlToMarkdown(clipboardData.getData('text/html'))
    if (markdown === null) return false
    const isTable = markdown.startsWith('|')
    const insert = isTable ? asBlock(view.state, markdown) : markdown
    view.dispatch({ ...view.state.replaceSelection(insert), userEvent: 'input.paste', scrollIntoView: true })
    return true
  },
})

/** Words of one line that are not a link or an address already. */
const isWords = (text: string) => text.trim() !== '' && !/[\n[\]]/.test(text) && linkAddress(text) === null

function isInCode(state: EditorState) {
  const { from, to } = state.selection.main
  for (let node = syntaxTree(state).resolveInner(from, -1); ;) {
    if (/Code/.test(node.name) && node.from < from && node.to >= to) return true
    const { parent } = node
    if (!parent) return false
    node = parent
  }
}

/** A table needs an empty line before it and one after it. */
function asBlock(state: EditorState, table: string) {
  const { from, to } = state.selection.main
  const [before, after] = [state.sliceDoc(0, from), state.sliceDoc(to)]
  const lead = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  const tail = after.startsWith('\n\n') ? '' : after.startsWith('\n') ? '\n' : '\n\n'
  return `${lead}${table}${tail}`
}
