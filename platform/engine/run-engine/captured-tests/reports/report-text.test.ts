import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import type { ReportFormat } from '#contract/task-fields.ts'
import { readReport } from './read-report.ts'
import { reportText } from './report-text.ts'
import { readTime } from './report-time.ts'

const bytesOf = {
  utf8: (text: string) => Buffer.from(text),
  bom: (text: string) => Buffer.from(`\uFEFF${text}`),
  utf16le: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  utf16be: (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  bareUtf16: (text: string) => Buffer.from(text, 'utf16le'),
}

const reports: Record<ReportFormat, string> = {
  junit:
    '<?xml version="1.0" encoding="UTF-8"?><testsuite name="s" tests="1"><testcase classname="c" name="é – 日本"/></testsuite>',
  ctrf: '{"results": {"tests": [{"name": "é – 日本", "suite": "c", "status": "passed"}]}}',
  tap: 'TAP version 14\n# Subtest: c\n    ok 1 - é – 日本\n    1..1\nok 1 - c\n1..1\n',
}

const formats = ['junit', 'ctrf', 'tap'] as const

test.each(formats)(
  'a %s report reads the same in UTF-8 and UTF-16, with a byte order mark and in colors',
  async (format) => {
    for (const encode of Object.values(bytesOf)) {
      const { captures, problems } = await readReport('t', format, encode(reports[format]))
      expect([captures.map(({ name, outcome }) => [name, outcome]), problems]).toEqual([
        [['t/c/é – 日本', 'passed']],
        [],
      ])
    }
    const colored = `\x1b[0m\x1b]0;title\x07\x1b[?25l${reports[format].replace('é', '\x1b[1;32mé\x1b[39m')}\x1b[0m`
    expect((await readReport('t', format, colored)).captures.map(({ name }) => name)).toEqual(['t/c/é – 日本'])
  },
)

test('the encoding that an XML declaration names is used', async () => {
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="caf\xe9"/></testsuite>'
  const { captures } = await readReport('t', 'junit', Buffer.from(xml, 'latin1'))
  expect(captures.map(({ name }) => name)).toEqual(['t/café'])
})

test('UTF-8 is read as such, whatever Latin alphabet a declaration names', async () => {
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="café – 日本"/></testsuite>'
  for (const encode of [bytesOf.utf8, bytesOf.bom]) {
    const { captures } = await readReport('t', 'junit', encode(xml))
    expect(captures.map(({ name }) => name)).toEqual(['t/café – 日本'])
  }
})

test('a character in two numeric entities is one character, and half of one is replaced', async () => {
  const xml = '<testsuite><testcase name="&#xD83D;&#xDE00; &#55357;&#56832; &#xD83D;"/></testsuite>'
  expect((await readReport('t', 'junit', xml)).captures.map(({ name }) => name)).toEqual(['t/😀 😀 \uFFFD'])
})

test('the colors that pytest writes as #x1B are removed', async () => {
  const xml =
    '<testsuite><testcase name="#x1B[1ma#x1B[0m"><failure>#x1B[31mno#x1B[39;49m #x1B</failure></testcase></testsuite>'
  expect((await readReport('t', 'junit', xml)).captures).toMatchObject([{ name: 't/a', stderrTail: 'no #x1B' }])
})

test('entities are decoded once, numeric ones too, and not in CDATA', async () => {
  const xml = `<testsuite><testcase name="&#97;&#x62; &lt;&amp;lt;&gt; &quot;&apos;">
    <failure message="&#x1b;[31mred&#10;next"><![CDATA[<!DOCTYPE html> &lt;p&gt;]]></failure></testcase></testsuite>`
  const { captures } = await readReport('t', 'junit', xml)
  expect(captures).toMatchObject([
    { name: `t/ab <&lt;> "'`, outcome: 'failed', stderrTail: '\x1b[31mred\nnext\n<!DOCTYPE html> &lt;p&gt;' },
  ])
})

test('JSON as Python and tools around it write it is read', async () => {
  const report = `[info] starting\n{"results": {"tests": [
    {"name": "a NaN", "status": "passed", "duration": NaN, "extra": [-Infinity, Infinity, {}]},
    {"name": "tab\there", "status": "failed", "message": "x\nInfinity"}
  ]}}\nDone in 3 s`
  const { captures } = await readReport('t', 'ctrf', report)
  expect(captures).toMatchObject([
    { name: 't/a NaN', outcome: 'passed', durationMs: null },
    { name: 't/tab here', outcome: 'failed', stderrTail: 'x\nInfinity' },
  ])
})

test('brackets in the lines around a JSON document are no part of it', async () => {
  const report = `[vite] {starting}\n  {"results": {"tests": [{"name": "a", "status": "failed"}]}}\n[done]\n`
  expect((await readReport('t', 'ctrf', report)).captures).toMatchObject([{ name: 't/a', outcome: 'failed' }])
})

test('braces in lines before and after a JSON document are no part of it, and a second document is never dropped', async () => {
  const report = (name: string) => `{"results": {"tests": [{"name": "${name}", "status": "passed"}]}}`
  const { captures } = await readReport('t', 'ctrf', `npm warn {x}\n${report('a }')}\nDone {ok}, {it's "fine"}\n`)
  expect(captures.map(({ name }) => name)).toEqual(['t/a }'])
  await expect(readReport('t', 'ctrf', `${report('a')}\n${report('b')}`)).rejects.toThrow('more than one JSON document')
})

test('numbers of other languages, and commas before a closing bracket, are read', async () => {
  const report = `{"results": {"tests": [{"name": "a,]", "status": "passed", "duration": nan},
    {"name": "b", "status": "failed", "duration": +inf, "extra": [-NaN, undefined, -nan(ind),],},], }, }`
  const { captures } = await readReport('t', 'ctrf', report)
  expect(captures).toMatchObject([
    { name: 't/a,]', outcome: 'passed', durationMs: null },
    { name: 't/b', outcome: 'failed', durationMs: null },
  ])
})

test('a JUnit report may have other lines around it, but no other report', async () => {
  const suite = (name: string) => `<testsuite><testcase name="${name}"/></testsuite>`
  for (const start of ['', '<?xml version="1.0"?>\n', '<!-- made by x -->\n']) {
    const { captures } = await readReport('t', 'junit', `3 < 4 -> ok\n${start}${suite('a')}\nDone -> out.xml\n`)
    expect(captures.map(({ name }) => name)).toEqual(['t/a'])
  }
  await expect(readReport('t', 'junit', `${suite('a')}\n${suite('b')}`)).rejects.toThrow('root')
  await expect(readReport('t', 'junit', `${suite('a')}\n<testsuite><testcase`)).rejects.toThrow(/./)
  await expect(readReport('t', 'junit', `<testcase name="b"><failure/></testcase>${suite('a')}`)).rejects.toThrow(/./)
  await expect(readReport('t', 'junit', `log\n<!DOCTYPE a>${suite('a')}`)).rejects.toThrow('document type')
})

test('controls and changes of direction in a name are shown as glyphs', async () => {
  const tests = [
    { name: 'safe\u202Etxt.exe\u0007\u009f', status: 'passed' },
    { name: '\x1b[31mred\x1b[0m\n  name', status: 'passed' },
  ]
  const { captures } = await readReport('t', 'ctrf', JSON.stringify({ results: { tests } }))
  expect(captures.map(({ name }) => name)).toEqual(['t/safe<U+202E>txt.exe␇<U+009F>', 't/red name'])
})

test.each([
  ['0.5', 500],
  ['1,024.12', 1_024_120],
  ['1.024,12', 1_024_120],
  ['12,345,678', null],
  ['1 024.5', 1_024_500],
  ['0,160', 160],
  ['12,5', 12_500],
  ['0.', 0],
  ['1.', 1000],
  ['1,23,456.5', null],
  ['12,345.5', 12_345_500],
  ['0,12,345.5', 12_345_500],
  ['PT1M2.5S', 62_500],
  ['PT0.5S', 500],
  ['PT', null],
  ['1,024', null],
  ['548392417', null],
  ['-1', null],
  ['1e-3', 1],
  ['NaN', null],
  ['', null],
  ['250ms', 250],
  ['1.5 s', 1500],
  ['00:01:02.5', 62_500],
])('the time %s of a JUnit report is %s ms', (text, ms) => {
  expect(readTime(text)).toBe(ms)
})

test('no text is a time below zero or above a day', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.stringMatching(/^[\d.,' ]{0,20}$/)), (text) => {
      const ms = readTime(text)
      expect(ms === null || (ms >= 0 && ms <= 86_400_000)).toBe(true)
    }),
  )
})

test('a number with or without thousands separators is the same time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 86_399 }), fc.integer({ min: 0, max: 99 }), (seconds, cents) => {
      const fraction = String(cents).padStart(2, '0')
      const expected = readTime(`${seconds}.${fraction}`)
      expect(readTime(`${seconds.toLocaleString('en-US')}.${fraction}`)).toBe(expected)
      expect(readTime(`${seconds.toLocaleString('de-DE')},${fraction}`)).toBe(expected)
    }),
  )
})

test('any bytes become text without escape sequences, and text without control characters stays as it is', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(reportText(bytes)).not.toMatch(/(?![\t\n\r])[\p{Cc}--[\u007F-\u009F]]/v)
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/^\uFEFF|\p{Cc}/u.test(text) && text.isWellFormed())
      expect(reportText(Buffer.from(`x${text}`))).toBe(`x${text}`)
    }),
  )
})

test('any report is read or rejected with a reason, and no case without a word of success has passed', async () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('\x1b[', '\x1b]', '"', '\\', '{', '[', '<', '&#', 'not ok', '1..2', '\n', ']]>', 'NaN'),
  )
  const hostile = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...formats), hostile, async (format, report) => {
      const read = await readReport('t', format, report).catch((error: unknown) => error)
      if (read instanceof Error) expect(read.message).not.toBe('')
      else expect(JSON.stringify(read)).not.toContain(/ok|testcase/.test(report) ? '\0' : '"passed"')
    }),
  )
})

test('megabytes of escapes, quotes and unclosed sequences take linear time', async () => {
  for (const part of ['\x1b]', '\x1b[1;', '\x1b', '"\\', '\\"', '{"', 'NaN ', '-Infinity']) {
    for (const format of ['ctrf', 'tap'] as const) {
      await expectLinear(
        (size) => expect(readReport('t', format, `{"${part.repeat(size / part.length)}}`)).rejects.toThrow(/./),
        4 * 1024 * 1024,
      )
    }
  }
})
