import { expect, test } from 'vitest'
import { z } from 'zod'

import { draftsIn as draftsOf } from './drafts.ts'
import { tabDraftsIn } from './tab-drafts.ts'

const Draft = z.object({ base: z.string(), body: z.string() })
const draftsIn = (storage: Parameters<typeof draftsOf>[0]) => draftsOf(storage, Draft)

const key = { organizationId: 'o', about: 'r', actorId: 'a' }
const draft = { base: 'b\n', body: 'b\n\nmine 日本' }

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

test('a draft survives a reload and disappears once removed', () => {
  const storage = memory()
  expect(draftsIn(storage).write(key, draft)).toBe(true)
  expect(draftsIn(storage).read(key)).toEqual(draft)
  draftsIn(storage).remove(key)
  expect([draftsIn(storage).read(key), storage.kept.size]).toEqual([null, 0])
})

test('drafts of different people, organizations and subjects stay apart, whatever characters their ids contain', () => {
  const drafts = draftsIn(memory())
  drafts.write({ organizationId: 'o:r', about: 'a', actorId: 'x' }, draft)
  for (const other of [key, { organizationId: 'o', about: 'r:a', actorId: 'x' }]) expect(drafts.read(other)).toBeNull()
})

test('a failed write to the browser storage is reported and keeps the older draft', () => {
  const drafts = draftsIn(memory((text) => text.length > 400))
  expect(drafts.write(key, draft)).toBe(true)
  expect(drafts.write(key, { ...draft, body: 'x'.repeat(500) })).toBe(false)
  expect(drafts.read(key)).toEqual(draft)
  expect([draftsIn(undefined).write(key, draft), draftsIn(undefined).read(key)]).toEqual([false, null])
})

test('invalid stored text is not read as a draft', () => {
  const storage = memory()
  draftsIn(storage).write(key, draft)
  const [name = ''] = storage.kept.keys()
  for (const text of ['{', '{}', 'null', '[]']) {
    storage.kept.set(name, text)
    expect(draftsIn(storage).read(key)).toBeNull()
  }
})

test('each tab has its own draft, and a new tab starts with the latest one', () => {
  const browser = memory()
  const open = (tab = memory()) => tabDraftsIn({ tab, browser }, Draft)
  const [one, other] = [open(), open()]
  one.write(key, { ...draft, body: 'one' })
  other.write(key, { ...draft, body: 'other' })
  expect([one.read(key)?.body, other.read(key)?.body, open().read(key)?.body]).toEqual(['one', 'other', 'other'])
  one.write(key, { ...draft, body: 'one, on' })
  expect([other.read(key)?.body, open().read(key)?.body]).toEqual(['other', 'one, on'])
  expect([one.onlyHere(key), other.onlyHere(key)?.body]).toEqual([null, 'other'])
})

test('removing the draft of a tab keeps the drafts of other tabs and does not adopt them', () => {
  const [browser, tab] = [memory(), memory()]
  const [one, other] = [tabDraftsIn({ tab, browser }, Draft), tabDraftsIn({ tab: memory(), browser }, Draft)]
  one.write(key, { ...draft, body: 'one' })
  other.write(key, { ...draft, body: 'other' })
  one.remove(key)
  one.remove(key)
  expect([one.read(key), tabDraftsIn({ tab, browser }, Draft).read(key), other.read(key)?.body]).toEqual([
    null,
    null,
    'other',
  ])
  other.remove(key)
  expect(tabDraftsIn({ tab: memory(), browser }, Draft).read(key)).toBeNull()
})

test('removing a draft that a new tab adopted removes it everywhere', () => {
  const browser = memory()
  tabDraftsIn({ tab: memory(), browser }, Draft).write(key, draft)
  const late = tabDraftsIn({ tab: memory(), browser }, Draft)
  expect(late.read(key)).toEqual(draft)
  late.remove(key)
  expect(tabDraftsIn({ tab: memory(), browser }, Draft).read(key)).toBeNull()
})

test('without tab storage, drafts use the storage of the browser', () => {
  const browser = memory()
  const shut = tabDraftsIn({ tab: undefined, browser }, Draft)
  expect(shut.write(key, draft)).toBe(true)
  expect(shut.read(key)).toEqual(draft)
  shut.remove(key)
  expect(shut.read(key)).toBeNull()
})
