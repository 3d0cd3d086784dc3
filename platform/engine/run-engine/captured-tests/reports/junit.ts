import type { Outcome } from '#contract/outcomes.ts'
import type { JunitCase, JunitSuite } from './junit-suite.ts'
import { findDisagreements } from './junit-totals.ts'
import { knownOutcome, outcomeOf, strictest } from './outcome-words.ts'
import type { ReportCase, ReportReading } from './report-case.ts'
import { readTime } from './report-time.ts'
import { attributeOf, childNames, childrenOf, parseXml, textOf, type XmlElement } from './report-xml.ts'

/**
 * Parses JUnit XML as most runners write it: `<testsuites>` or `<testsuite>`, with suites nested at any depth. Throws
 * an Error with a reason.
 */
export function readJunit(xml: string): ReportReading {
  const document = parseXml(xml.replace(pytestColors, ''))
  const suites = [
    ...childrenOf(document, 'testsuites').map((root) => toSuite(root, null)),
    ...childrenOf(document, 'testsuite').map((root) => toSuite(root, [])),
  ]
  if (suites.length === 0) throw new Error('it is not JUnit XML')
  const cases = suites.flatMap(casesOf)
  return { cases, problems: [...suites.flatMap(findDisagreements), ...findUnread(document, cases.length)] }
}

/** pytest writes the escape character, which XML forbids, as `#x1B`. */
const pytestColors = /#x1B\[[\d;]*[a-z]/gi

/** Cases where no writer puts them, such as in another case, must not be lost silently. */
function findUnread(document: XmlElement, read: number) {
  const unread = countCases(document) - read
  if (unread <= 0) return []
  return [`${unread} test ${unread === 1 ? 'case is' : 'cases are'} not in a suite, and could not be read`]
}

const countCases = (element: XmlElement): number =>
  childNames(element)
    .flatMap((name) => childrenOf(element, name).map((child) => (name === 'testcase' ? 1 : 0) + countCases(child)))
    .reduce((sum, count) => sum + count, 0)

const casesOf = (suite: JunitSuite): ReportCase[] => [
  ...suite.cases.map((entry) => entry.case),
  ...suite.suites.flatMap(casesOf),
]

/** `above` has the names of the suites around it, null for the collection of all suites, whose name says nothing. */
function toSuite(element: XmlElement, above: readonly string[] | null): JunitSuite {
  const name = attributeOf(element, 'name') ?? ''
  const path = above === null ? [] : [...above, name].filter((part) => part !== '')
  const file = attributeOf(element, 'file') ?? ''
  const said = childrenOf(element, 'system-err').map(textOf)
  const complaints = ['error', 'failure'].flatMap((kind) => childrenOf(element, kind).map(noteText))
  return {
    element,
    name,
    cases: childrenOf(element, 'testcase').map((entry) => toCase(entry, { path, file })),
    suites: [
      ...childrenOf(element, 'testsuite').map((suite) => toSuite(suite, path)),
      // Merged reports have collections in a collection.
      ...childrenOf(element, 'testsuites').map((suites) => toSuite(suites, above === null ? null : path)),
    ],
    complaints: complaints.map((text) => [text, ...said].filter((part) => part !== '').join('\n')),
  }
}

type Surroundings = { path: readonly string[]; file: string }

/** Node's reporter gives every case the class `test`, so only its suites say more. */
const groupOf = (classname: string, suites: string, file: string) =>
  classname === 'test' ? suites : classname || suites || file

function toCase(entry: XmlElement, { path, file }: Surroundings): JunitCase {
  const name = attributeOf(entry, 'name') ?? 'unnamed'
  const suites = path.join(' > ')
  const ownFile = attributeOf(entry, 'file') ?? file
  const line = attributeOf(entry, 'line')
  const classname = attributeOf(entry, 'classname') ?? attributeOf(entry, 'class') ?? ''
  const complaints = ['failure', 'error'].flatMap((kind) => childrenOf(entry, kind))
  const others = childNames(entry).filter((kind) => isOutcome(kind) && !['failure', 'error'].includes(kind))
  const earlier = childNames(entry)
    .filter(isEarlierAttempt)
    .flatMap((kind) => childrenOf(entry, kind))
  return {
    notes: complaints.length + earlier.length,
    attempts: 1 + earlier.length,
    case: {
      name,
      group: groupOf(classname, suites, ownFile),
      place: [ownFile && `${ownFile}${line ? `:${line}` : ''}`, suites].filter((part) => part).join(' · '),
      outcome: outcomeOfCase(entry),
      durationMs: readTime(attributeOf(entry, 'time') ?? attributeOf(entry, 'duration')),
      stdout: childrenOf(entry, 'system-out').map(textOf).join('\n'),
      stderr: [
        ...complaints.map(noteText),
        ...others
          .flatMap((kind) => childrenOf(entry, kind))
          .map(noteText)
          .filter((text) => text !== ''),
        ...childrenOf(entry, 'system-err').map(textOf),
      ].join('\n'),
    },
  }
}

/** The message first: a body may be a long trace. */
function noteText(note: XmlElement) {
  const message = attributeOf(note, 'message') ?? ''
  const body = textOf(note)
  return message === '' || body.slice(0, 2000 + message.length).includes(message)
    ? body
    : [message, body].filter((part) => part !== '').join('\n')
}

/** A failed attempt that was repeated. The case itself says how the last attempt ended. */
const isEarlierAttempt = (name: string) => /^(?:rerun|flaky)(?:failure|error)/.test(name)

const isOutcome = (name: string) => !isEarlierAttempt(name) && knownOutcome(name) !== null

/** Attributes in which writers name how a case ended. */
const outcomeAttributes = ['status', 'result', 'state', 'outcome']
const ifTrue: Readonly<Record<string, Outcome>> = {
  skipped: 'skipped',
  ignored: 'skipped',
  disabled: 'skipped',
  notrun: 'skipped',
  failed: 'failed',
}
const ifFalse: Readonly<Record<string, Outcome>> = { executed: 'skipped', success: 'failed', passed: 'failed' }

const isTrue = (value: string | undefined) => /^(?:true|yes|[1-9]\d*)$/i.test(value ?? '')
const isFalse = (value: string | undefined) => /^(?:false|no|0)$/i.test(value ?? '')

/** The strictest of all that a case says: an attribute never excuses a failure, and silence is a pass. */
function outcomeOfCase(entry: XmlElement): Outcome {
  const children = childNames(entry)
  // An expected failure of Node's reporter has both. An error, such as a failed teardown, is never expected.
  const isExpected = childrenOf(entry, 'skipped').some((note) =>
    /^(?:todo|.*xfail)$/i.test(attributeOf(note, 'type') ?? ''),
  )
  if (isExpected) return children.includes('error') ? 'errored' : 'skipped'
  const isRerunOnly =
    children.some((name) => name.startsWith('rerun')) && !children.includes('failure') && !children.includes('error')
  const words = outcomeAttributes.map((name) => attributeOf(entry, name)?.trim()).filter((word) => word)
  return strictest([
    ...children.filter(isOutcome).map(outcomeOf),
    ...words.map((word) => outcomeOf(word ?? '')),
    ...Object.keys(ifTrue)
      .filter((name) => isTrue(attributeOf(entry, name)))
      .map((name) => ifTrue[name] ?? 'unresolved'),
    ...Object.keys(ifFalse)
      .filter((name) => isFalse(attributeOf(entry, name)))
      .map((name) => ifFalse[name] ?? 'unresolved'),
    ...(isRerunOnly ? ['failed' as const] : []),
  ])
}
