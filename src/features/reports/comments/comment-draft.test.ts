import { expect, test } from 'vitest'

import { openDraft } from './comment-draft.ts'

const saved = { base: 'Hello <@1>', text: 'Hello @Ada' }

test('an unsent draft is there again when the form opens', () => {
  expect(openDraft(null, saved)).toEqual({ text: 'Hello @Ada' })
  expect(openDraft({ text: 'Hello @Ada!', base: 'Hello <@1>' }, saved)).toEqual({ text: 'Hello @Ada!' })
  expect(openDraft({ text: 'A reply', base: '' }, { base: '', text: '' })).toEqual({ text: 'A reply' })
  expect(openDraft({ text: 'A reply' }, { base: '', text: '' })).toEqual({ text: 'A reply' })
})

test('a draft of an older version does not replace the newer comment, but is offered', () => {
  expect(openDraft({ text: 'Old', base: 'Before' }, saved)).toEqual({ text: 'Hello @Ada', older: 'Old' })
  expect(openDraft({ text: 'Old' }, saved)).toEqual({ text: 'Hello @Ada', older: 'Old' })
  expect(openDraft({ text: 'Hello @Ada', base: 'Before' }, saved)).toEqual({ text: 'Hello @Ada' })
})
