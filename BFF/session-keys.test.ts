import { expect, test } from 'vitest'

import { seal, unseal } from './seal-session.ts'
import { keyOf, keyOfPerson, sessionName } from './session-keys.ts'

const session = 'the id of a session'
const place = sessionName(session)

test.each([
  ['its session', keyOf],
  ['its person', keyOfPerson],
])('only the id of %s opens what is stored', (_, keyFrom) => {
  const sealed = seal(keyFrom(session), place, 'secret')
  expect(unseal(keyFrom(session), place, sealed)).toBe('secret')
  expect(unseal(keyFrom(''), place, sealed)).toBeNull()
  expect(unseal(keyFrom('another id'), place, sealed)).toBeNull()
})

test('the id of a person opens no session, and the other way round', () => {
  expect(unseal(keyOfPerson(session), place, seal(keyOf(session), place, 'secret'))).toBeNull()
  expect(unseal(keyOf(session), place, seal(keyOfPerson(session), place, 'secret'))).toBeNull()
})

test('what is stored of a session does not open in the place of another, so files cannot be exchanged', () => {
  const sealed = seal(keyOf(session), place, 'secret')
  expect(unseal(keyOf(session), sessionName('another id'), sealed)).toBeNull()
})

test('changed or cut bytes do not open', () => {
  const sealed = seal(keyOf(session), place, 'secret')
  for (const at of [0, 12, sealed.byteLength - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(unseal(keyOf(session), place, changed)).toBeNull()
  }
  expect(unseal(keyOf(session), place, sealed.subarray(0, 27))).toBeNull()
})

test('the name of a file does not show the id of its session', () => {
  expect(place).toMatch(/^[\w-]{43}$/)
  expect(Buffer.from(place, 'base64url').toString('latin1')).not.toContain(session)
})
