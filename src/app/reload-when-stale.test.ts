import { expect, test } from 'vitest'

import { mayReload } from './reload-when-stale.ts'

const emptyStorage = () => {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  }
}

test('a page of an outdated build reloads only once', () => {
  const storage = emptyStorage()
  expect([mayReload(storage, 0), mayReload(storage, 500), mayReload(storage, 59_999)]).toEqual([true, false, false])
})

test('the page may reload again at the next upgrade', () => {
  const storage = emptyStorage()
  expect([mayReload(storage, 0), mayReload(storage, 60_000)]).toEqual([true, true])
})
