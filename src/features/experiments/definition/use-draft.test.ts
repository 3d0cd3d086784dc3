import { beforeEach, expect, test, vi } from 'vitest'

import { changeDraft, hasDraft, moveDraft } from './use-draft.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  return () => vi.unstubAllGlobals()
})

const move = () => moveDraft({ from: 'e.old', to: 'e.new', sent: 'sent' })

function draftOf(about: string) {
  let found = 'none'
  changeDraft(about, 'none', (text) => (found = text))
  return found
}

test('text that was typed during a push becomes the draft of the new version', () => {
  changeDraft('e.old', 'stored', () => 'sent and typed')
  move()
  expect([draftOf('e.new'), hasDraft('e.old')]).toEqual(['sent and typed', false])
})

test('text that was typed while the new version opened is added to its draft', () => {
  changeDraft('e.old', 'stored', () => 'sent and')
  move()
  move()
  changeDraft('e.old', 'stored', () => 'sent and typed')
  move()
  expect([draftOf('e.new'), hasDraft('e.old')]).toEqual(['sent and typed', false])
})

test('a draft that was pushed as it is leaves no draft', () => {
  changeDraft('e.old', 'stored', () => 'sent')
  move()
  expect([hasDraft('e.new'), hasDraft('e.old')]).toEqual([false, false])
})
