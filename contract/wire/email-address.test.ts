import { expect, test } from 'vitest'

import { readEmailAddress } from './email-address.ts'

test('an address is read in lower case', () => {
  expect(readEmailAddress('Kate.Miller@Lab.Example')).toBe('kate.miller@lab.example')
})

const ascii = new Set(Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)))
const lookAlikes = Array.from({ length: 0x2_ff_ff }, (_, code) => String.fromCodePoint(code)).filter(
  (letter) =>
    !ascii.has(letter) &&
    [letter.toLowerCase(), letter.toUpperCase().toLowerCase(), letter.normalize('NFKC').toLowerCase()].some((other) =>
      /^[a-z0-9.@-]+$/.test(other),
    ),
)

test('a character that another form of writing turns into ASCII is refused in every place of an address', () => {
  expect(lookAlikes).toContain('\u212a')
  const read = lookAlikes.flatMap((letter) =>
    [`${letter}ate@lab.example`, `kate@${letter}ab.example`, `kate@lab.ex${letter}mple`].filter(
      (text) => readEmailAddress(text) !== null,
    ),
  )
  expect(read).toEqual([])
})
