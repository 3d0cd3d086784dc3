import { expect, test } from 'vitest'

import { parseLinks } from './parse-links.ts'

/** `title → url`, or the error. */
const read = (pasted: string) =>
  parseLinks(pasted).map(({ link, fault }) => (link ? `${link.title} → ${link.url}` : fault))

test.each([
  ['The paper https://lab.example/paper', 'The paper → https://lab.example/paper'],
  ['The paper: https://lab.example/paper', 'The paper → https://lab.example/paper'],
  ['https://lab.example/paper – The paper', 'The paper → https://lab.example/paper'],
  ['The paper\thttps://lab.example/paper', 'The paper → https://lab.example/paper'],
  ['[The paper](https://lab.example/paper)', 'The paper → https://lab.example/paper'],
  ['- [The paper](<https://lab.example/paper> "why")', 'The paper → https://lab.example/paper'],
  ['2. <https://lab.example/paper>', 'lab.example/paper → https://lab.example/paper'],
  ['https://www.lab.example/a/?q=1#x', 'lab.example/a → https://www.lab.example/a/?q=1#x'],
  ['[](https://lab.example/)', 'lab.example → https://lab.example/'],
  ['[Wiki](https://wiki.example/a_(b))', 'Wiki → https://wiki.example/a_(b)'],
  ['Wiki https://wiki.example/a_(b)', 'Wiki → https://wiki.example/a_(b)'],
])('%j is parsed as a link', (line, link) => {
  expect(read(line)).toEqual([link])
})

test.each(['Click javascript:alert(1)', 'just words', 'mailto:ada@lab.example', 'ftp://lab.example/x'])(
  '%j is reported as an invalid link',
  (line) => {
    expect(read(line)).toEqual(['no URL that starts with http:// or https://'])
  },
)

test('an unsafe scheme in a markdown link is rejected', () => {
  expect(read('[Click](javascript:alert(1))')).toEqual(['url must be an http or https URL'])
})

test('empty lines are skipped, and the other lines keep their numbers', () => {
  expect(parseLinks('\nhttps://a.example\r\n\nhttps://b.example').map(({ line }) => line)).toEqual([2, 4])
})

test('a title that is too long is rejected, not shortened', () => {
  expect(read(`${'x'.repeat(201)} https://a.example`)).toEqual([expect.stringMatching(/^title /)])
})
