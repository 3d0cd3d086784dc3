import { z } from 'zod'

import type { Outcome } from '#contract/outcomes.ts'
import type { ReportCase } from './report-case.ts'

const lines = z
  .union([
    z.string().transform((line) => [line]),
    z.array(z.unknown()).transform((items) => items.filter((item) => typeof item === 'string')),
  ])
  .nullish()
  .catch(null)

const Ctrf = z.object({ results: z.object({ tests: z.array(z.unknown()) }) })

const CtrfTest = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
  duration: z.number().nullish().catch(null),
  suite: z.unknown().optional(),
  message: z.string().nullish().catch(null),
  trace: z.string().nullish().catch(null),
  stdout: lines,
  stderr: lines,
})

const outcomeOf = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  other: 'unresolved',
} as const satisfies Record<string, Outcome>

/** Common Test Report Format (ctrf.io): JSON, durations in milliseconds. */
export function readCtrf(text: string): ReportCase[] {
  const report = Ctrf.safeParse(JSON.parse(text))
  if (!report.success) throw new Error('it is not a CTRF report')
  return report.data.results.tests.map(toCase)
}

/**
 * Parses entries one at a time and stops at the first invalid one: validation messages for millions of entries would
 * fill the memory.
 */
function toCase(entry: unknown): ReportCase {
  const { success, data: test } = CtrfTest.safeParse(entry)
  if (!success) throw new Error('it is not a CTRF report')
  return {
    name: test.name,
    group: [test.suite]
      .flat()
      .filter((part) => typeof part === 'string')
      .join(' > '),
    outcome: outcomeOf[test.status],
    durationMs: test.duration ?? null,
    stdout: (test.stdout ?? []).join('\n'),
    stderr: [test.message, test.trace, ...(test.stderr ?? [])].filter((part) => part).join('\n'),
  }
}
