import { expect, test } from 'vitest'

import {
  isPublishedAttribute,
  isPublishedCondition,
  isPublishedSelector,
  isPublishedStyle,
} from '#contract/published-document.ts'
import { describeYamlError } from '#contract/yaml-errors.ts'
import { parseDefinition } from '#platform/inputs/experiments/parse-definition.ts'
import { readableText } from '#platform/program/import-formats/terminal-bench/terminal-text.ts'
import { plainName } from '#platform/engine/run-engine/captured-tests/reports/case-name.ts'
import { readCtrf } from '#platform/engine/run-engine/captured-tests/reports/ctrf.ts'
import { readJunit } from '#platform/engine/run-engine/captured-tests/reports/junit.ts'
import { parseRewards } from '#platform/engine/run-engine/captured-tests/reports/parse-rewards.ts'
import { reportText } from '#platform/engine/run-engine/captured-tests/reports/report-text.ts'
import { readTap } from '#platform/engine/run-engine/captured-tests/reports/tap.ts'
import { createMasker } from '#platform/inputs/secrets/masking/masker.ts'
import { TranscriptFormat } from '#contract/definition.ts'
import { createLineParser } from '#platform/queue/agents/line-parser.ts'
import { adversarialTexts } from './adversarial-texts.ts'
import { findReaders, namesOfReaders } from './find-readers.ts'

const masker = createMasker([{ slug: 's', value: '][ \r\n]{a0":1,<a' }])

const readTranscript = (format: TranscriptFormat) => (text: string) => {
  const parser = createLineParser(format)
  for (const line of text.split('\n')) parser.line(line)
}

const faultOfYaml = (reason: string) => (text: string) =>
  describeYamlError({ reason, mark: { position: text.length - 2 } }, text)

/** What runs, imports and members write is read by these. */
const readers: Record<string, (text: string) => unknown> = {
  readTap,
  readCtrf,
  readJunit,
  parseRewards,
  reportText,
  plainName,
  readableText,
  parseDefinition,
  mask: masker.text,
  'missed comma in YAML': faultOfYaml('missed comma'),
  'missing colon in YAML': faultOfYaml('block mapping entry'),
  'bad indentation in YAML': faultOfYaml('bad indentation'),
  styleOfPosition: (text) => isPublishedStyle('position', text),
  style: (text) => isPublishedStyle('color', text),
  selector: isPublishedSelector,
  condition: isPublishedCondition,
  href: (text) => isPublishedAttribute('href', text),
  drawing: (text) => isPublishedAttribute('clip-path', text),
  ...Object.fromEntries(TranscriptFormat.options.map((format) => [`transcript ${format}`, readTranscript(format)])),
}

const length = 100_000

/** A reader whose time grows with the square of the length needs many seconds. The slowest of these needs 0.4 s. */
const maxMs = 2500

function processorMs(read: (text: string) => unknown, text: string) {
  const before = process.threadCpuUsage()
  try {
    void Promise.resolve(read(text)).catch(() => {})
  } catch {
    // A refusal is an answer too.
  }
  return process.threadCpuUsage(before).user / 1000
}

const longTexts = adversarialTexts(length)
const names = longTexts.map(([name]) => name)

/** The names of the texts that a reader does not read in time. */
const slowTexts = (read: (text: string) => unknown, texts = longTexts, limitMs = maxMs) =>
  texts.flatMap(([name, text]) => (processorMs(read, text) > limitMs ? [name] : []))

/** What a reader of quadratic time, too slow for a text of `length`, needs at least for shorter ones. Most readers need less. */
const sieves = [10, 3].map((part) => ({
  texts: adversarialTexts(length / part),
  limitMs: (maxMs / part ** 2) * 0.7,
}))

/** As `slowTexts`, but a long text is read only if the shorter ones of its name took long. */
function suspectTexts(read: (text: string) => unknown) {
  let suspects = new Set(names)
  for (const { texts, limitMs } of sieves)
    suspects = new Set(
      slowTexts(
        read,
        texts.filter(([name]) => suspects.has(name)),
        limitMs,
      ),
    )
  return slowTexts(
    read,
    longTexts.filter(([name]) => suspects.has(name)),
  )
}

test.each(Object.entries(readers))('%s reads hostile texts in time that grows with their length', (_, read) => {
  expect(slowTexts(read)).toEqual([])
})

test('every exported function that takes a text, and every schema, reads hostile texts in such time', async () => {
  const found = await findReaders()
  expect(found.length).toBeGreaterThan(500)
  const slow = found.flatMap(({ name, read }) => suspectTexts(read).map((of) => `${name}: ${of}`))
  expect(slow).toEqual([])
}, 300_000)

test('a new reader is found by its source, and one of quadratic time is named', () => {
  const source = `export const trimmed = (text: string) => text.replace(/\\s+$/, '')\nexport function count(\n  html: string,\n) {`
  expect(namesOfReaders(source)).toEqual(['trimmed', 'count'])
  expect(namesOfReaders(`import { readFile } from 'node:fs/promises'\n${source}`)).toEqual([])
  const trimmed = (text: string) => text.replace(/\s+$/, '')
  const blanks = 'blanks before another sign'
  for (const { texts, limitMs } of sieves) {
    const ofBlanks = texts.filter(([name]) => name === blanks)
    expect(slowTexts(trimmed, ofBlanks, limitMs)).toEqual([blanks])
    expect(slowTexts((text) => text.trimEnd(), ofBlanks, limitMs)).toEqual([])
  }
})
