import { expect, test } from 'vitest'

import { type Draft, draftsIn } from './drafts.ts'

const key = { organizationId: 'o', reportId: 'r', actorId: 'a' }
const draft: Draft = {
  base: { updatedAt: '2026-11-20T10:00:00.123456Z', title: 't', description: '', body: 'b\n' },
  title: 't',
  description: '',
  body: 'b\n\nmine 日本',
  savedAt: '2026-11-20T10:00:01Z',
}

function memory(refuse: (text: string) => boolean = () => false) {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem(name: string, text: string) {
      if (refuse(text)) throw new DOMException('full', 'QuotaExceededError')
      kept.set(name, text)
    },
    removeItem: (name: string) => void kept.delete(name),
  }
}

test('a draft is there again after a reload, and gone once removed', () => {
  const storage = memory()
  expect(draftsIn(storage).write(key, draft)).toBe(true)
  expect(draftsIn(storage).read(key)).toEqual(draft)
  draftsIn(storage).remove(key)
  expect([draftsIn(storage).read(key), storage.kept.size]).toEqual([null, 0])
})

test('people, reports and organizations keep theirs apart, whatever their ids hold', () => {
  const drafts = draftsIn(memory())
  drafts.write({ organizationId: 'o:r', reportId: 'a', actorId: 'x' }, draft)
  for (const other of [key, { organizationId: 'o', reportId: 'r:a', actorId: 'x' }])
    expect(drafts.read(other)).toBeNull()
})

test('storage that is full, shut or absent says so, and keeps the older draft', () => {
  const drafts = draftsIn(memory((text) => text.length > 400))
  expect(drafts.write(key, draft)).toBe(true)
  expect(drafts.write(key, { ...draft, body: 'x'.repeat(500) })).toBe(false)
  expect(drafts.read(key)).toEqual(draft)
  expect([draftsIn(undefined).write(key, draft), draftsIn(undefined).read(key)]).toEqual([false, null])
})

test('text that is no draft of ours is none', () => {
  const storage = memory()
  draftsIn(storage).write(key, draft)
  const [name = ''] = storage.kept.keys()
  for (const text of ['{', '{}', 'null', '[]']) {
    storage.kept.set(name, text)
    expect(draftsIn(storage).read(key)).toBeNull()
  }
})
