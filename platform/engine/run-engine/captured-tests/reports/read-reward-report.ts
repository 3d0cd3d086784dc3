import { ContentLost } from '#platform/ground/content/content-job.ts'
import type { TestReport } from '#contract/task-fields.ts'
import type { TestCapture } from '#platform/queue/run-queue/record-tests.ts'
import type { Masker } from '#platform/inputs/secrets/masking/masker.ts'
import { readReportApart } from './read-report-apart.ts'
import { noCases, type ReadReport } from './read-report.ts'
import { readRewards } from './read-rewards.ts'

type CaseReport = NonNullable<TestReport['cases']>[number]

type Options = {
  organizationId: string
  /** The bytes of a report, or null if there is none. */
  read: (path: string | undefined) => Promise<Uint8Array | null>
  /** An error for people. */
  why: (error: unknown) => string
  isOneOfSeveral: boolean
  masker: Pick<Masker, 'secrets' | 'text'>
}

/**
 * Returns the captured tests of a reward: the cases of the reports beside it, whatever the reward is, then one test for
 * each reward. A missing or unreadable reward is a problem even if those reports have cases.
 */
export async function readRewardReport(
  command: TestCapture,
  report: TestReport,
  options: Options,
): Promise<ReadReport> {
  const parts: ReadReport[] = []
  for (const beside of report.cases ?? []) parts.push(await readBeside(command, beside, options))
  parts.push(await readOnly(command, report, options))
  return {
    captures: withDistinctNames(parts.flatMap(({ captures }) => captures)),
    problems: parts.flatMap(({ problems }) => problems),
  }
}

async function readOnly(command: TestCapture, report: TestReport, { read, why, isOneOfSeveral, masker }: Options) {
  try {
    const bytes = await read(report.path)
    if (bytes === null)
      throw new Error(report.path ? `the command wrote no ${report.path}` : 'the command printed nothing')
    return readRewards(command, bytes, { report, isOneOfSeveral, mask: masker.text })
  } catch (error) {
    return unreadable('reward', report.path, why(error))
  }
}

async function readBeside(
  command: TestCapture,
  { format, path }: CaseReport,
  { organizationId, read, why, masker }: Options,
) {
  try {
    const bytes = await read(path)
    if (bytes === null) return { captures: [], problems: [] }
    return await readReportApart(organizationId, { testName: command.name, format, report: bytes }, masker)
  } catch (error) {
    if (error instanceof ContentLost) throw error
    const reason = why(error)
    // What pytest writes if it cannot load a file of tests. The reward says what that means.
    return reason === noCases ? { captures: [], problems: [] } : unreadable(format, path, reason)
  }
}

const unreadable = (format: string, path: string | undefined, why: string): ReadReport => ({
  captures: [],
  problems: [`The ${format} report${path && !why.includes(path) ? ` ${path}` : ''} could not be read: ${why}`],
})

/** Names address tests, and a case may have the name of a reward. */
function withDistinctNames(captures: readonly TestCapture[]): TestCapture[] {
  const taken = new Set<string>()
  return captures.map((capture) => {
    let name = capture.name
    for (let count = 2; taken.has(name); count += 1) name = `${capture.name} #${count}`
    taken.add(name)
    return { ...capture, name }
  })
}
