import { type FinalResults, Parser, type Result } from 'tap-parser'

import type { Outcome } from '#contract/outcomes.ts'
import { strictest } from './outcome-words.ts'
import type { ReportCase, ReportReading } from './report-case.ts'
import { readTime } from './report-time.ts'
import { readDescription } from './tap-description.ts'
import { markedDiagnostics, readTapLines } from './tap-lines.ts'

/**
 * Parses TAP 12 to 14, and KTAP, with subtests: each innermost test point is a case, and so is an outer one that its subtests do not
 * explain. Throws an Error with a reason.
 */
export function readTap(text: string): ReportReading {
  const { tap, diagnostics, isCut } = readTapLines(text)
  const results: Result[] = []
  const problems: string[] = []
  const parser = new Parser()
  const saidOf = followDiagnostics(parser, diagnostics)
  const subtestOf = followPlans(parser, problems)
  const positions = followPositions(parser)
  parser.on('result', (result: Result) => results.push(result))
  parser.on('extra', (line: string) => {
    if (ignoredPoint.test(line)) problems.push(`The report continues after its plan: ${line.trim().slice(0, 200)}`)
  })
  const skipped = skippedReport(parser)
  parser.end(tap)
  if (isCut) problems.unshift('The report is too long: only its start was read')
  const whole = skipped()
  if (whole !== null && results.length === 0 && problems.length === 0) return { cases: [whole], problems }
  const cases = results.map((result) =>
    toCase(result, {
      diagnostics: saidOf.get(result) ?? '',
      subtest: subtestOf.get(result) ?? null,
      number: result.id || (positions.get(result) ?? 0),
    }),
  )
  if (cases.length === 0 && problems.length === 0) throw new Error('it contains no test points')
  return { cases, problems }
}

/** A test point or plan where the parser expects none. */
const ignoredPoint = /^\s*(?:(?:not )?ok(?:\s|$)|\d+\.\.\d+)/

/** A report of `1..0 # SKIP no database` says that the whole test was skipped. */
function skippedReport(parser: Parser) {
  let reason: string | null = null
  parser.on('plan', (plan: { start: number; end: number; comment: string }) => {
    if (plan.start === 1 && plan.end === 0) reason = plan.comment
  })
  return (): ReportCase | null =>
    reason === null || !/^skip/i.test(reason)
      ? null
      : { name: '', group: '', place: '', outcome: 'skipped', durationMs: null, stdout: '', stderr: reason }
}

/** The parser of the same level emits a comment right after the result of its test point. */
function followDiagnostics(root: Parser, diagnostics: readonly string[]) {
  const said = new Map<Result, string>()
  const follow = (parser: Parser) => {
    let last: Result | null = null
    parser.on('assert', (result: Result) => void (last = result))
    parser.on('comment', (comment: string) => {
      const index = markedDiagnostics(comment)
      if (last && index !== undefined) said.set(last, diagnostics[Number(index)] ?? '')
    })
    parser.on('child', follow)
  }
  follow(root)
  return said
}

/**
 * Collects why the plan of any level is not fulfilled. The library reports a broken plan only if no test point failed.
 * Returns the subtest of each test point that has one.
 */
function followPlans(root: Parser, problems: string[]) {
  const subtests = new Map<Result, Subtest>()
  const follow = (parser: Parser) => {
    let subtest: Subtest | null = null
    parser.on('child', (child: Parser) => {
      follow(child)
      child.on('complete', ({ plan, count }: FinalResults) => {
        subtest = { name: child.name, isEmpty: plan.skipAll && count === 0 }
      })
    })
    parser.on('assert', (result: Result) => {
      if (subtest) subtests.set(result, subtest)
      subtest = null
    })
    parser.on('complete', (final: FinalResults) => problems.push(...shortfalls(final, parser.fullname)))
  }
  follow(root)
  return subtests
}

/** It is empty if nothing ran in it. */
type Subtest = { name: string; isEmpty: boolean }

function shortfalls({ plan, count, bailout, failures }: FinalResults, name: string) {
  const subject = name === '' ? 'The report' : `The subtest "${name.slice(0, 200)}"`
  if (bailout) return name === '' ? [`Bail out! ${bailout === true ? '' : bailout}`.trim()] : []
  if (plan.skipAll && count === 0) return []
  if (plan.start === null || plan.end === null) return [`${subject} has no plan: its writer may have stopped early`]
  const planned = plan.end - plan.start + 1
  if (planned !== count) return [`${subject} plans ${planned} test points but contains ${count}`]
  const misnumbered = failures.find((failure) => 'id' in failure && failure.tapError)
  return misnumbered ? [`${subject} is misnumbered: ${misnumbered.tapError}`] : []
}

const durationLine = /^[ \t]*duration_ms:[ \t]*["']?(\d[\d.,e+-]*)["']?[ \t]*$/m

/** The place of each test point among those of its level, from 1: points need no numbers. */
function followPositions(root: Parser) {
  const positions = new Map<Result, number>()
  const follow = (parser: Parser) => {
    let count = 0
    parser.on('assert', (result: Result) => void positions.set(result, (count += 1)))
    parser.on('child', follow)
  }
  follow(root)
  return positions
}

type Surroundings = { diagnostics: string; subtest: Subtest | null; number: number }

/** Node's own reporter writes `duration_ms` in the diagnostics. */
function toCase(result: Result, { diagnostics, subtest, number }: Surroundings): ReportCase {
  const group = result.fullname.slice(0, Math.max(0, result.fullname.length - result.name.length)).trim()
  const duration = durationLine.exec(diagnostics)?.[1]
  const described = readDescription(result.name)
  return {
    // Perl describes a subtest in which nothing ran only before it.
    name: described.name || subtest?.name || `test ${number}`,
    group: /[>/]$/.test(group) ? group.slice(0, -1).trimEnd() : group,
    place: locationLine.exec(diagnostics)?.[1] ?? '',
    outcome: outcomeOf(result, subtest?.isEmpty === true, described.outcome),
    durationMs: readTime(result.time ?? duration, 1) ?? described.durationMs,
    stdout: '',
    stderr: [directiveOf(result), diagnostics.replace(durationLine, '').trim()]
      .filter((part) => part !== '')
      .join('\n'),
  }
}

/** Node's own reporter writes where a test is. */
const locationLine = /^[ \t]*location:[ \t]*'([^'\n]{1,400})'[ \t]*$/m

const directiveOf = ({ skip, todo }: Result) => [skip, todo].filter((reason) => typeof reason === 'string').join('\n')

function outcomeOf({ ok, skip, todo }: Result, isEmpty: boolean, described: Outcome | null): Outcome {
  if (skip || todo || (ok && isEmpty) || described === 'skipped') return 'skipped'
  return strictest([ok ? 'passed' : 'failed', ...(described === null ? [] : [described])])
}
