import type { Journal } from './journal.ts'
import { checkTitles, checkWrites, type StoredReport, type StoredWrite } from './check-writes.ts'
import type { Violation } from './violation.ts'

/** Where the journal was when a backup began, and when it was complete. */
export type BackupTimes = {
  /** How many writes, changes of titles and cancels had been answered when it began. */
  answered: { writes: number; titles: number; cancels: number }
  /** The highest number of a key that had been sent when it was complete. */
  sent: number
}

type Sent = Pick<Journal, 'writes' | 'titles' | 'cancels'>

export const countAnswered = ({ writes, titles, cancels }: Sent): BackupTimes['answered'] => ({
  writes: writes.length,
  titles: titles.length,
  cancels: cancels.length,
})

/**
 * Checks what a restored installation has. What was answered before the backup began must be there, what was sent after
 * it was complete must not, and what happened in between may be.
 */
export function checkBackup(
  { writes, titles }: Sent,
  { answered, sent }: BackupTimes,
  stored: { writes: readonly StoredWrite[]; reports: readonly StoredReport[] },
): Violation[] {
  const asOfBackup = <Each extends { outcome: string }>(
    all: readonly Each[],
    before: number,
    keyOf: (each: Each) => string,
  ) =>
    all
      .map((each, index) =>
        index < before || each.outcome === 'refused' ? each : { ...each, outcome: 'unknown' as const },
      )
      .filter((each) => numberOf(keyOf(each)) <= sent)
  const later = stored.writes.filter(({ key }) => numberOf(key) > sent)
  const earlier = stored.writes.filter(({ key }) => numberOf(key) <= sent)
  return [
    ...checkWrites(
      asOfBackup(writes, answered.writes, ({ key }) => key),
      earlier,
    ),
    ...checkTitles(
      asOfBackup(titles, answered.titles, ({ title }) => title),
      stored.reports,
    ),
    ...[
      ...later.map(({ key }) => key),
      ...stored.reports.map(({ title }) => title).filter((title) => numberOf(title) > sent),
    ].map((key): Violation => ({ kind: 'illegal', text: `${key} was sent after the backup and is in it` })),
  ]
}

/** The journal counts its keys: `report-7-12` is the twelfth, and so is the cost 12 of a submission. */
const numberOf = (key: string) => Number(key.split('-').at(-1))
