import { expect, test } from 'vitest'

import { applyChanges } from './merge/changes.ts'
import type { Draft } from './report-draft.ts'
import type { Fields } from './stored-report.ts'
import { removeDraft } from './remove-draft.ts'

const base = { title: 'Title', description: '', body: 'One.\n\nTwo.\n\nThree.\n', updatedAt: '2026-11-20T10:00:00Z' }
const draft: Draft = {
  base,
  title: 'Drafted title',
  description: '',
  body: 'One, drafted.\n\nTwo.\n\nThree.\n\nDrafted.\n',
  savedAt: '2026-11-20T10:01:00Z',
}

function discarded(fields: Fields): Fields {
  const { title, description, changes } = removeDraft(draft, fields)
  return { title, description, body: applyChanges(fields.body, changes) }
}

test('discarding a draft restores the previous report', () => {
  const { title, description, body } = base
  expect(discarded(draft)).toEqual({ title, description, body })
})

test('discarding a draft keeps text written since, elsewhere and inside the draft’s own text', () => {
  const others = { ...draft, description: 'Theirs', body: draft.body.replace('Two.', 'Two. Theirs.') }
  expect(discarded(others)).toEqual({
    title: 'Title',
    description: 'Theirs',
    body: base.body.replace('Two.', 'Two. Theirs.'),
  })
  const mine = { ...draft, title: 'Newer title', body: draft.body.replace('Drafted.', 'Drafted. Typed since.') }
  expect(discarded(mine)).toMatchObject({
    title: 'Newer title',
    body: expect.stringMatching(/Three\.\s+Typed since\.\s*$/),
  })
  const over = { ...draft, body: draft.body.replace('Drafted.', 'Written over.') }
  expect(discarded(over).body).toMatch(/Three\.\s+Written over\s*$/)
})

test('discarding a draft keeps words that others added to the paragraph before it', () => {
  const short = { ...base, body: 'Start.\n' }
  const kept = { ...draft, base: short, title: 'Title', body: 'Start.\n\nWritten offline.' }
  const fields = { ...kept, body: 'Start. And theirs.\n\nWritten offline.' }
  expect(applyChanges(fields.body, removeDraft(kept, fields).changes)).toBe('Start. And theirs.\n')
})
