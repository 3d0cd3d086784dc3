import { startCompletion } from '@codemirror/autocomplete'
import { EditorView, runScopeHandlers } from '@codemirror/view'
import { expect, onTestFinished, test, vi } from 'vitest'

import { holdPlaces } from './held-places.ts'
import type { MarkdownInsert } from './insert-item.ts'
import { insertMenu } from './insert-menu.ts'

const item = (label: string, text: string, isBlock = false): MarkdownInsert => ({ label, detail: '', text, isBlock })

const inserts = [item('Caution', '> [!CAUTION]\n> ‸', true), item('Table', '| ‸ |', true)]
const people = [item('Ada Admin', '[@Ada Admin](assay://people/1)'), item('#1 of be26adad', '[@run](assay://runs/1)')]

/** An editor whose searches answer when `answer` is called. */
function editor() {
  const places = holdPlaces()
  let answer = () => {}
  const found = (items: readonly MarkdownInsert[]) =>
    new Promise<readonly MarkdownInsert[]>((resolve) => (answer = () => resolve(items)))
  const view = new EditorView({
    parent: document.body,
    extensions: [
      places.extension,
      insertMenu({
        inserts,
        suggest: () => found([]),
        suggestMentions: (typed) => found(people.filter(({ label }) => label.toLowerCase().includes(typed))),
        hold: places.hold,
        watch: places.watch,
      }),
    ],
  })
  onTestFinished(() => view.destroy())
  const type = (text: string) => view.dispatch({ ...view.state.replaceSelection(text), userEvent: 'input.type' })
  return {
    text: () => view.state.doc.toString(),
    /** Types a text and asks for the menu at once, as typing does a moment later. */
    search(text: string) {
      type(text)
      startCompletion(view)
    },
    type,
    enter: () => runScopeHandlers(view, new KeyboardEvent('keydown', { key: 'Enter' }), 'editor') || type('\n'),
    change: (at: number, insert: string) => view.dispatch({ changes: { from: at, insert } }),
    answer: () => answer(),
  }
}

test.each(['The API is at /api', 'see /tmp', 'cd /zzzz', 'mail @nobodyhere', 'for /table in a sentence, /caution'])(
  'Enter after "%s" is a line break when the menu still searches',
  async (line) => {
    const { search, enter, type, answer, text } = editor()
    search(line)
    enter()
    type('next line')
    answer()
    await vi.waitFor(() => expect(text()).toBe(`${line}\nnext line`))
  },
)

test('Enter after a lone slash in a sentence is a line break at once', () => {
  const { search, enter, type, text } = editor()
  search('10 /')
  enter()
  type('2')
  expect(text()).toBe('10 /\n2')
})

test('a second Enter is a second line break', async () => {
  const { search, enter, type, answer, text } = editor()
  search('see /tmp')
  enter()
  enter()
  type('next')
  answer()
  await vi.waitFor(() => expect(text()).toBe('see /tmp\n\nnext'))
})

test('Enter inserts the command or the person that was typed, and text typed on follows it', async () => {
  const command = editor()
  command.search('/caut')
  command.enter()
  command.type('Mind the gap.')
  command.answer()
  await vi.waitFor(() => expect(command.text()).toBe('> [!CAUTION]\n> Mind the gap.\n'))
  const mention = editor()
  mention.search('thanks @ada')
  mention.enter()
  mention.answer()
  await vi.waitFor(() => expect(mention.text()).toBe('thanks [@Ada Admin](assay://people/1)'))
})

test('a run whose id has the letters of a name is not meant by it', async () => {
  const { search, enter, answer, text } = editor()
  search('thanks @26ad')
  enter()
  answer()
  await vi.waitFor(() => expect(text()).toBe('thanks @26ad\n'))
})

test('a line break stays at its word when somebody else writes above it in the meantime', async () => {
  const { search, enter, change, answer, text } = editor()
  search('see /tmp')
  enter()
  change(0, 'Above.\n')
  answer()
  await vi.waitFor(() => expect(text()).toBe('Above.\nsee /tmp\n'))
})
