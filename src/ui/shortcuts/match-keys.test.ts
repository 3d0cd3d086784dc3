import { expect, test } from 'vitest'

import { navigation } from '#src/navigation.ts'
import { keyName, matchKeys } from './match-keys.ts'
import { type Shortcut, shortcuts } from './registry.ts'

/** As in the browser, the fields of an event are not its own. */
const press = (key: string, held: Partial<Parameters<typeof keyName>[0]> = {}) =>
  keyName(Object.create({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held }))

test('letters of other alphabets are the shortcuts at the same place of the keyboard', () => {
  expect(press('п', { code: 'KeyG' })).toBe('g')
  expect(press('Л', { code: 'KeyK', ctrlKey: true })).toBe('mod+k')
  expect(press('ξ', { code: 'KeyJ' })).toBe('j')
  // A Latin letter is itself wherever it is.
  expect(press('j', { code: 'KeyC' })).toBe('j')
})

test('the keys of digits type digits without Shift on a French keyboard', () => {
  expect(press('&', { code: 'Digit1' })).toBe('1')
  expect(press('!', { code: 'Digit1', shiftKey: true })).toBe('!')
  expect(press('/', { code: 'Digit7', shiftKey: true })).toBe('/')
})

test('Ctrl and ⌘ are the same modifier, and combinations with Alt are left to the browser', () => {
  expect(press('k', { ctrlKey: true })).toBe('mod+k')
  expect(press('K', { metaKey: true })).toBe('mod+k')
  expect(press('k', { altKey: true })).toBeNull()
})

test('a key sequence waits for its second key', () => {
  expect(matchKeys(null, 'g')).toEqual({ id: null, pending: 'g' })
  expect(matchKeys('g', 'e')).toEqual({ id: 'goExperiments', pending: null })
})

test('every page of the navigation has a sequence', () => {
  const sequences = Object.values<Shortcut>(shortcuts).filter(({ keys }) => keys.startsWith('g '))
  expect(sequences.map(({ does }) => does)).toEqual(navigation.map(({ label }) => label))
  expect(new Set(sequences.map(({ keys }) => keys)).size).toBe(navigation.length)
})

test('an incomplete sequence falls back to the single key', () => {
  expect(matchKeys('g', 'j')).toEqual({ id: 'next', pending: null })
  expect(matchKeys('g', 'x')).toEqual({ id: null, pending: null })
})
