import { type FinalResults, Parser, type Result } from 'tap-parser'

import type { Outcome } from '#contract/outcomes.ts'
import type { ReportCase } from './read-report.ts'

/** TAP 13 and 14, subtests included: each innermost test point is a case. */
export function readTap(text: string): ReportCase[] {
  const cases: ReportCase[] = []
  const problems: string[] = []
  const parser = new Parser()
  parser.on('result', (result: Result) => cases.push(toCase(result)))
  parser.on('complete', (results: FinalResults) => problems.push(...shortfalls(results)))
  parser.end(text)
  if (cases.length === 0) throw new Error(problems[0] ?? 'it holds no test point')
  return [...cases, ...problems.map(brokenReport)]
}

/** The library reports a broken plan only where no test point failed, so the plan is checked here. */
function shortfalls({ plan, count, bailout }: FinalResults) {
  if (bailout) return [`Bail out! ${bailout === true ? '' : bailout}`.trim()]
  if (plan.skipAll) return []
  if (plan.start === null || plan.end === null) return ['The report has no plan: its writer may have stopped early']
  const planned = plan.end - plan.start + 1
  return planned === count ? [] : [`The report planned ${planned} test points and holds ${count}`]
}

function toCase(result: Result): ReportCase {
  const group = result.fullname.slice(0, Math.max(0, result.fullname.length - result.name.length)).trim()
  return {
    name: result.name || `test ${result.id}`,
    group: group.replace(/\s*[>/]\s*$/, ''),
    outcome: outcomeOf(result),
    durationMs: result.time ?? durationIn(result.diag),
    stdout: '',
    stderr: result.diag ? JSON.stringify(result.diag, null, 2) : '',
  }
}

function outcomeOf({ ok, skip, todo }: Result): Outcome {
  if (skip || todo) return 'skipped'
  return ok ? 'passed' : 'failed'
}

/** Node's own reporter writes `duration_ms` into the diagnostics. */
function durationIn(diagnostics: unknown) {
  if (typeof diagnostics !== 'object' || diagnostics === null || !('duration_ms' in diagnostics)) return null
  return typeof diagnostics.duration_ms === 'number' ? diagnostics.duration_ms : null
}

/** Cases that never reported must not look as if there were none: the shortfall is a case of its own. */
const brokenReport = (problem: string): ReportCase => ({
  name: 'the report is complete',
  group: '',
  outcome: 'errored',
  durationMs: null,
  stdout: '',
  stderr: problem,
})
