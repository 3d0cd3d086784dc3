import { expect, test } from 'vitest'

import { type AnsiSpan, parseAnsi, stripAnsi } from './ansi.ts'

const withoutOffsets = (spans: AnsiSpan[]) => spans.map(({ text, style }) => ({ text, style }))

test('plain text is one span without a style', () => {
  expect(parseAnsi('hello')).toEqual([{ at: 0, text: 'hello', style: {} }])
})

test('the sixteen colors, bold and reset are supported', () => {
  expect(withoutOffsets(parseAnsi('\x1b[1;31mFAIL\x1b[0m ok \x1b[92mgreen\x1b[39m.'))).toEqual([
    { text: 'FAIL', style: { bold: true, color: 1 } },
    { text: ' ok ', style: {} },
    { text: 'green', style: { color: 10 } },
    { text: '.', style: { color: undefined } },
  ])
})

test('an empty escape code resets the style', () => {
  expect(parseAnsi('\x1b[31ma\x1b[mb').at(-1)).toMatchObject({ text: 'b', style: {} })
})

test('256 colors and true colors map to the nearest of the sixteen', () => {
  expect(parseAnsi('\x1b[38;5;196mx')[0]?.style.color).toBe(9)
  expect(parseAnsi('\x1b[38;2;0;120;0mx')[0]?.style.color).toBe(2)
  expect(parseAnsi('\x1b[48;5;4;1mx')[0]?.style).toEqual({ background: 4, bold: true })
})

test('cursor moves, titles, links and incomplete escapes are dropped', () => {
  expect(stripAnsi('\x1b[2K\x1b[1Ga\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c\x1b[3')).toBe('abc')
})

test('a redrawn line keeps its last content, and Windows line ends count as line ends', () => {
  expect(stripAnsi('10%\r50%\r100%\ndone\r\nend')).toBe('100%\ndone\nend')
})

test('control characters become visible symbols', () => {
  expect(stripAnsi('a\x00b\x07c\x7f')).toBe('a␀b␇c␡')
})
