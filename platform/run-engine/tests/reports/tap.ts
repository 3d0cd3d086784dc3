import { type FinalResults, Parser, type Result } from 'tap-parser'

import type { Outcome } from '#contract/outcomes.ts'
import { type ReportCase, incompleteCase } from './report-case.ts'
import { markedDiagnostics, readTapLines } from './tap-lines.ts'

/** Parses TAP 13 and 14 with subtests: each innermost test point is a case. Throws an Error with a reason. */
export function readTap(text: string): ReportCase[] {
  const { tap, diagnostics, isCut } = readTapLines(text)
  const results: Result[] = []
  const problems: string[] = []
  const parser = new Parser()
  const saidOf = followDiagnostics(parser, diagnostics)
  parser.on('result', (result: Result) => results.push(result))
  parser.on('complete', (final: FinalResults) => problems.push(...shortfalls(final, isCut)))
  parser.end(tap)
  if (results.length === 0) throw new Error(problems[0] ?? 'it contains no test points')
  return [...results.map((result) => toCase(result, saidOf.get(result) ?? '')), ...problems.map(incompleteCase)]
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

/** The library reports a broken plan only if no test point failed, so this checks the plan. */
function shortfalls({ plan, count, bailout }: FinalResults, isCut: boolean) {
  if (isCut) return ['The report is too long: only its start was read']
  if (bailout) return [`Bail out! ${bailout === true ? '' : bailout}`.trim()]
  if (plan.skipAll) return []
  if (plan.start === null || plan.end === null) return ['The report has no plan: its writer may have stopped early']
  const planned = plan.end - plan.start + 1
  return planned === count ? [] : [`The report plans ${planned} test points but contains ${count}`]
}

const durationLine = /^[ \t]*duration_ms:[ \t]*(\d[\d.e+-]*)[ \t]*$/m

/** Node's own reporter writes `duration_ms` in the diagnostics. */
function toCase(result: Result, diagnostics: string): ReportCase {
  const group = result.fullname.slice(0, Math.max(0, result.fullname.length - result.name.length)).trim()
  const duration = durationLine.exec(diagnostics)?.[1]
  return {
    name: result.name || `test ${result.id}`,
    group: /[>/]$/.test(group) ? group.slice(0, -1).trimEnd() : group,
    outcome: outcomeOf(result),
    durationMs: result.time ?? (duration === undefined ? null : Number(duration)),
    stdout: '',
    stderr: diagnostics.replace(durationLine, '').trim(),
  }
}

function outcomeOf({ ok, skip, todo }: Result): Outcome {
  if (skip || todo) return 'skipped'
  return ok ? 'passed' : 'failed'
}
