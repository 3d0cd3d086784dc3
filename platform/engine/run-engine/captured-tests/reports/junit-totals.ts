import type { JunitCase, JunitSuite } from './junit-suite.ts'
import { readCount } from './report-count.ts'
import { attributeOf, type XmlElement } from './report-xml.ts'

type Tally = { cases: number; passed: number; bad: number; quiet: number; notes: number; attempts: number }

const none: Tally = { cases: 0, passed: 0, bad: 0, quiet: 0, notes: 0, attempts: 0 }

const add = (a: Tally, b: Tally): Tally => ({
  cases: a.cases + b.cases,
  passed: a.passed + b.passed,
  bad: a.bad + b.bad,
  quiet: a.quiet + b.quiet,
  notes: a.notes + b.notes,
  attempts: a.attempts + b.attempts,
})

function tallyOf({ case: { outcome }, notes, attempts }: JunitCase): Tally {
  const isBad = outcome === 'failed' || outcome === 'errored'
  const isPassed = outcome === 'passed'
  return { cases: 1, passed: isPassed ? 1 : 0, bad: isBad ? 1 : 0, quiet: isPassed || isBad ? 0 : 1, notes, attempts }
}

/**
 * Why the totals of a suite contradict its cases, one sentence each. Only what could hide a failure counts, because
 * correct writers differ: pytest counts a failed teardown as a test more, Surefire counts repeated attempts, mocha leaves
 * skipped cases out, Node counts suites as tests, and a failed hook is a case that no total counts.
 */
export function findDisagreements(root: JunitSuite): string[] {
  const problems: string[] = []
  const visit = (suite: JunitSuite): Tally => {
    const own = suite.cases.map(tallyOf).reduce(add, none)
    const whole = suite.suites.map(visit).reduce(add, own)
    const complaints = suite.complaints.length
    const found = { own, whole: { ...whole, notes: whole.notes + complaints }, suites: suite.suites.length }
    for (const complaint of suite.complaints) problems.push(`${subjectOf(suite)} failed: ${complaint.slice(0, 4000)}`)
    problems.push(...disagreementsOf(suite, found))
    return found.whole
  }
  visit(root)
  return problems
}

type Found = { own: Tally; whole: Tally; suites: number }

function disagreementsOf(suite: JunitSuite, { own, whole, suites }: Found) {
  const { element } = suite
  const tests = totalOf(element, 'tests')
  const bad = sum(totalOf(element, 'failures'), totalOf(element, 'errors'))
  const quiet = Math.max(...['skipped', 'disabled', 'ignored'].map((name) => totalOf(element, name) ?? 0))
  const unlisted = Math.max(0, quiet - whole.quiet)
  const problems: string[] = []
  const explains = (tally: Tally, more: number) =>
    tests !== null && tests >= tally.passed && tests <= tally.attempts + tally.bad + unlisted + more
  if (tests !== null && !countsAssertions(element) && !explains(whole, 0) && !explains(own, suites))
    problems.push(`${subjectOf(suite)} counts ${count(tests, 'test')}, but contains ${count(whole.cases, 'case')}`)
  if (bad !== null && bad > Math.max(whole.bad, whole.notes))
    problems.push(`${subjectOf(suite)} counts ${count(bad, 'failure')}, but ${whole.bad} of its cases failed`)
  const missing = Math.max(0, (tests ?? 0) - whole.cases)
  if (unlisted > missing + whole.bad)
    problems.push(
      `${subjectOf(suite)} counts ${count(quiet, 'skipped test')}, but ${whole.quiet} of its cases were skipped`,
    )
  return problems
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

const sum = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0))

const subjectOf = ({ name }: JunitSuite) => (name === '' ? 'The report' : `The suite "${name.slice(0, 200)}"`)

function totalOf(element: XmlElement, name: string) {
  return readCount(attributeOf(element, name) ?? '')
}

/** Catch2, whose host name is always `tbd`, and doctest count assertions as tests. */
const countsAssertions = (element: XmlElement): boolean =>
  attributeOf(element, 'hostname') === 'tbd' || attributeOf(element, 'doctest_version') !== undefined
