import { isTerminal, runStatuses } from '#contract/run-status.ts'
import { type RunDetail, type RunRequest, getRun } from '#contract/runs.ts'
import { type CapturedTest, getTest } from '#contract/tests.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { shorten } from '#src/shared/clip/clip-quote.ts'
import type { Clipping } from '#src/shared/clip/ClipButton.tsx'
import { runFacts, runName } from '#src/shared/clip/use-run-source.ts'
import type { Copies } from '#src/shared/copy-as/CopyAs.tsx'
import { curlOf } from '#src/shared/copy-as/curl-of.ts'
import { requestSql, runsSql, testSql } from '#src/shared/copy-as/run-sql.ts'
import { selectorOf } from '#src/shared/copy-as/selector-of.ts'
import { seconds } from '#src/format/durations.ts'
import { usd } from '#src/format/money.ts'
import { count, counted, tokens } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { stripAnsi } from '#src/ui/ansi.ts'
import { describeCounts, runStatusMarks } from '#src/ui/status-marks.ts'
import { addressBase } from '#src/url/organization-address.ts'

/** The quote of an item, and the commands that return the same data. */
type ExportMenu = { clip: () => Clipping; copies: Copies }

export function exportRequest(request: RunRequest): ExportMenu {
  const { id, experimentName, experimentFingerprint, ordinal, variantIds, repeat, flags, mock, runCount } = request
  const { statusCounts, outcomes, timedOutCount, planLimitedCount, testAwareCount } = request
  const finished = runStatuses.filter(isTerminal).reduce((sum, status) => sum + statusCounts[status], 0)
  const lines = [
    `${count(finished)} of ${counted(runCount, 'run')} finished`,
    ...runStatuses.flatMap((status) =>
      statusCounts[status] > 0 ? [`${runStatusMarks[status].label.toLowerCase()}: ${statusCounts[status]}`] : [],
    ),
    `timed out: ${timedOutCount}, limited by plan: ${planLimitedCount}, test-aware: ${testAwareCount}`,
    `tests: ${describeCounts(outcomes)}`,
    `variants: ${variantIds.join(', ')}`,
  ]
  return {
    clip: () => ({
      title: `${experimentName}: ${counted(variantIds.length, 'variant')} × ${counted(repeat, 'repeat')}`,
      quote: shorten(lines.join('\n')),
      facts: [`${experimentName} v${ordinal}`, ...flags.map((flag) => `flag: ${flag}`), ...(mock ? ['mock'] : [])],
    }),
    copies: {
      curl: () => curlOf(getRun, { id }, currentOrganizationId()),
      sql: () => requestSql(id),
      selector: () => selectorOf({ version: experimentFingerprint, variantIds, repeat, flags, mock }),
    },
  }
}

const selectorOfRun = ({ experimentFingerprint: version, variantId, flags, mock }: RunDetail) =>
  selectorOf({ version, variantIds: [variantId], flags, mock })

export function exportRun(run: RunDetail): ExportMenu {
  const { id, status, statusReason, outcomes, wallSeconds, costUsd, totalTokens, toolCalls, toolFailures } = run
  const lines = [
    `${runStatusMarks[status].label.toLowerCase()}${statusReason ? `: ${statusReason}` : ''}`,
    `tests: ${describeCounts(outcomes)}`,
    `time: ${seconds(wallSeconds)}, cost: ${usd(costUsd)}, tokens: ${tokens(totalTokens)}`,
    `tool calls: ${count(toolCalls)}, failed: ${count(toolFailures)}`,
  ]
  return {
    clip: () => ({ title: runName(run), quote: shorten(lines.join('\n')), facts: runFacts(run) }),
    copies: {
      curl: () => curlOf(getRun, { id }, currentOrganizationId()),
      sql: () => runsSql([id]),
      selector: () => selectorOfRun(run),
    },
  }
}

/** The URL of a test, without other state of its run's page. */
export function exportTest(run: RunDetail, test: CapturedTest): ExportMenu {
  const { testName } = test
  const path = paths.test(run.id, testName)
  return {
    clip: () => ({ title: `${testName}, ${runName(run)}`, path, quote: quoteTest(test), facts: runFacts(run) }),
    copies: {
      link: () => window.location.origin + addressBase() + path,
      curl: () => curlOf(getTest, { id: run.id, name: testName }, currentOrganizationId()),
      sql: () => testSql(run.id, testName),
      selector: () => selectorOfRun(run),
    },
  }
}

function quoteTest({ testName, outcome, exitCode, stderrTail, stdoutTail }: CapturedTest) {
  const ending = exitCode === null ? outcome : `${outcome}, exit code ${exitCode}`
  // The end of the output is the most useful part.
  const tail = (stderrTail || stdoutTail).trimEnd().split('\n').slice(-20).map(stripAnsi)
  return shorten([`${testName}: ${ending}`, ...tail].join('\n'))
}
