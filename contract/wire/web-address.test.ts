import { expect, test } from 'vitest'

import { isWebAddress } from './web-address.ts'

test('only whole http and https URLs are web addresses', () => {
  for (const text of ['https://example.com', 'HTTP://example.com/a?b#c', 'https://bücher.example/ä'])
    expect(isWebAddress(text)).toBe(true)
  for (const text of ['', 'example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://', 'https://a b'])
    expect(isWebAddress(text)).toBe(false)
})

test('a URL with a line break, a tab or a null character is refused', () => {
  for (const character of ['\n', '\r', '\t', '\0'])
    expect(isWebAddress(`https://example.com/${character}a`)).toBe(false)
})
