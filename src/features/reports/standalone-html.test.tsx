import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'

import { paragraphsOf } from '#contract/report-blocks/paragraphs.ts'
import { type Comments, CommentsContext } from './comments/CommentsContext.ts'
import { renderMark } from './comments/ParagraphMark.tsx'
import { toStandaloneHtml } from './standalone-html.ts'

test('an exported report does not say who is reading it or comments on it', async () => {
  const [place = null] = paragraphsOf('One.')
  const grace = { id: 'g', name: 'Grace Hopper' }
  const doNothing = () => {}
  const comments: Comments = {
    reportId: 'r',
    person: { id: 'a', name: 'Ada' },
    isAdmin: false,
    placed: [],
    paragraphs: place ? [place] : [],
    people: [{ person: grace, place }],
    isOpen: false,
    open: doNothing,
    close: doNothing,
    selected: null,
    select: doNothing,
    commented: null,
    comment: doNothing,
    start: () => Promise.resolve(),
    decide: () => Promise.resolve(),
    error: null,
  }
  const rendered = document.body.appendChild(document.createElement('div'))
  const root = createRoot(rendered)
  flushSync(() =>
    root.render(
      <CommentsContext value={comments}>
        <p>One.</p>
        {renderMark({ from: 0, to: 4 })}
      </CommentsContext>,
    ),
  )
  expect(rendered.innerHTML).toContain('Grace Hopper')
  expect(await toStandaloneHtml(rendered)).toBe('<p>One.</p>')
  root.unmount()
  rendered.remove()
})
