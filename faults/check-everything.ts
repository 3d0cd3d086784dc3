import { setTimeout as delay } from 'node:timers/promises'

import { messageOf } from '#contract/wire/message-of.ts'
import type { Ask } from './browser.ts'
import { checkAnalytics } from './check-analytics.ts'
import { checkLedger } from './check-ledger.ts'
import { checkRequeues, measureRequeues } from './check-requeues.ts'
import { checkRuns } from './check-runs.ts'
import { checkTitles, checkWrites } from './check-writes.ts'
import type { Faults } from './inject.ts'
import type { Installation } from './installation.ts'
import type { Journal } from './journal.ts'
import {
  observeAnalytics,
  observeFinished,
  observeLedger,
  observeReports,
  observeRuns,
  observeWrites,
} from './observe.ts'
import type { Violation } from './violation.ts'
import { testsPerRun } from './workload.ts'

const requeueLimitSeconds = 15
const quietWithinMs = 180_000

/** Waits until every run has ended and analytics has it. Returns the seconds it took; what is left is found as stuck. */
export async function untilQuiet({ query }: Installation) {
  const startedAt = performance.now()
  const open = `select (select count(*) from runs where status in ('queued', 'waiting_for_ci', 'running'))
    + (select count(*) from analytics_outbox) as open`
  while (performance.now() - startedAt < quietWithinMs) {
    const [row] = await query<{ open: string }>(open)
    if (Number(row?.open) === 0) break
    await delay(200)
  }
  return (performance.now() - startedAt) / 1000
}

type Checked = { installation: Installation; ask: Ask; journal: Journal; faults: Faults }

/** Checks a healed and quiet installation against what was sent to it and done to it. */
export async function checkEverything({ installation, ask, journal, faults }: Checked) {
  const { query } = installation
  // The next opening of the account posts the usage of ended runs.
  await ask('GET', '/credits/balance')
  const runs = await observeRuns(query)
  const requeues = measureRequeues(faults.lost, runs, faults.outages)
  const violations: Violation[] = [
    ...checkRuns(runs, { testsPerRun, cancels: journal.cancels }),
    ...checkWrites(journal.writes, await observeWrites(query)),
    ...checkTitles(journal.titles, await observeReports(query)),
    ...checkLedger(await observeLedger(query)),
    ...(await compareAnalytics(installation, ask)),
    ...checkRequeues(requeues, requeueLimitSeconds),
    ...journal.surprises.map((text): Violation => ({ kind: 'process', text })),
    ...installation.programs.flatMap(({ endedByItself }) =>
      endedByItself.map((text): Violation => ({ kind: 'process', text })),
    ),
  ]
  return { runs, requeues, violations }
}

async function compareAnalytics({ query }: Installation, ask: Ask): Promise<Violation[]> {
  try {
    return checkAnalytics(await observeFinished(query), await observeAnalytics(ask))
  } catch (error) {
    return [{ kind: 'analytics', text: messageOf(error) }]
  }
}
