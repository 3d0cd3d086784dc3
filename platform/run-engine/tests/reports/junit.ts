import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { z } from 'zod'

import type { ReportCase } from './report-case.ts'

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const attribute = text.optional()

/** A message with or without attributes. The parser returns plain text if there are none. */
const Note = z.union([
  text.transform((body) => ({ body, message: '' })),
  z
    .object({ '#text': attribute, '@message': attribute })
    .transform((note) => ({ body: note['#text'] ?? '', message: note['@message'] ?? '' })),
])
const notes = z.array(Note).optional()

const TestCase = z.object({
  '@name': attribute,
  '@classname': attribute,
  '@time': attribute,
  failure: notes,
  error: notes,
  skipped: notes,
  'system-out': notes,
  'system-err': notes,
})

const Suite = z.object({
  testcase: z.array(TestCase).optional(),
  get testsuite() {
    return z.array(Suite).optional()
  },
})
type Suite = z.infer<typeof Suite>

const listElements = new Set([
  'testsuites',
  'testsuite',
  'testcase',
  'failure',
  'error',
  'skipped',
  'system-out',
  'system-err',
])

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => listElements.has(name),
})

/**
 * Parses JUnit XML as most runners write it: `<testsuites>` or `<testsuite>`, with suites nested at any depth. Throws
 * an Error with a reason.
 */
export function readJunit(xml: string): ReportCase[] {
  // Custom entities can expand without limit ("billion laughs"), and no test runner writes any.
  if (xml.includes('<!DOCTYPE')) throw new Error('it declares a document type')
  const valid = XMLValidator.validate(xml)
  if (valid !== true) throw new Error(`line ${valid.err.line}: ${valid.err.msg}`)
  const document = z
    .object({ testsuites: z.array(Suite.or(z.literal(''))).optional(), testsuite: z.array(Suite).optional() })
    .safeParse(parser.parse(xml))
  if (!document.success || (!document.data.testsuites && !document.data.testsuite))
    throw new Error('it is not JUnit XML')
  const { testsuites = [], testsuite = [] } = document.data
  return [...testsuites.filter((suite) => suite !== ''), ...testsuite].flatMap(casesOf)
}

function casesOf(suite: Suite): ReportCase[] {
  return [...(suite.testcase ?? []).map(toCase), ...(suite.testsuite ?? []).flatMap(casesOf)]
}

function toCase(entry: z.infer<typeof TestCase>): ReportCase {
  const seconds = Number(entry['@time'])
  const complaints = [...(entry.failure ?? []), ...(entry.error ?? [])].map((note) => note.body || note.message)
  return {
    name: entry['@name'] ?? 'unnamed',
    group: entry['@classname'] ?? '',
    outcome: entry.error ? 'errored' : entry.failure ? 'failed' : entry.skipped ? 'skipped' : 'passed',
    durationMs: entry['@time'] !== undefined && Number.isFinite(seconds) ? seconds * 1000 : null,
    stdout: (entry['system-out'] ?? []).map((note) => note.body).join('\n'),
    stderr: [...complaints, ...(entry['system-err'] ?? []).map((note) => note.body)].join('\n'),
  }
}
