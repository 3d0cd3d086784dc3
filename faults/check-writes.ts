import type { Violation } from './violation.ts'

/**
 * Acknowledged writes must be there, refused ones must not, and a write whose answer was lost may be there once. The
 * workload never repeats a write.
 */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export type WriteKind = 'submission' | 'version' | 'report' | 'block' | 'comment' | 'tag' | 'grant'

/** `key` is unique to the write and stored with it. `size` is what belongs to it, such as the runs of a submission. */
export type Write = { kind: WriteKind; key: string; outcome: Outcome; size?: number }

/** The writes found in the database. A write that is stored twice is here twice. */
export type StoredWrite = { kind: WriteKind; key: string; size?: number }

/** A change of a report's title, on condition that nobody changed the report since `expected`. */
export type TitleChange = {
  reportId: string
  title: string
  expected: string
  outcome: Outcome
  /** The new time of the report, if it was acknowledged. */
  updatedAt?: string
}

export type StoredReport = { reportId: string; title: string; updatedAt: string }

const describeWrite = ({ kind, key }: { kind: WriteKind; key: string }) => `${kind} ${key}`

export function checkWrites(sent: readonly Write[], stored: readonly StoredWrite[]): Violation[] {
  const copies = Map.groupBy(stored, describeWrite)
  const known = new Set(sent.map(describeWrite))
  const found: Violation[] = []
  for (const write of sent) {
    const name = describeWrite(write)
    const times = copies.get(name)?.length ?? 0
    if (times > 1) found.push({ kind: 'doubled', text: `The ${name} is there ${times} times` })
    if (times === 0 && write.outcome === 'acknowledged')
      found.push({ kind: 'lost', text: `The ${name} was acknowledged and is not there` })
    if (times > 0 && write.outcome === 'refused')
      found.push({ kind: 'illegal', text: `The ${name} was refused and is there` })
    for (const { size } of copies.get(name) ?? [])
      if (size !== write.size)
        found.push({
          kind: (size ?? 0) < (write.size ?? 0) ? 'lost' : 'doubled',
          text: `The ${name} has ${size} parts instead of ${write.size}`,
        })
  }
  for (const name of copies.keys())
    if (!known.has(name)) found.push({ kind: 'illegal', text: `Nobody sent the ${name}` })
  return found
}

/** Of the changes that expect the same time of a report, one may succeed, and the last success is what is stored. */
export function checkTitles(changes: readonly TitleChange[], reports: readonly StoredReport[]): Violation[] {
  const found: Violation[] = []
  const acknowledged = changes.filter(({ outcome }) => outcome === 'acknowledged')
  for (const [condition, same] of Map.groupBy(acknowledged, ({ reportId, expected }) => `${reportId} at ${expected}`))
    if (same.length > 1)
      found.push({
        kind: 'lost',
        text: `${same.length} changes of report ${condition} succeeded: one overwrote another`,
      })

  for (const { reportId, title, updatedAt } of reports) {
    const ofReport = changes.filter((change) => change.reportId === reportId)
    const last = acknowledged
      .filter((change) => change.reportId === reportId)
      .reduce<TitleChange | null>((latest, change) => (isLater(change, latest) ? change : latest), null)
    if (!last) continue
    if ((last.updatedAt ?? '') > updatedAt)
      found.push({ kind: 'lost', text: `Report ${reportId} was changed at ${last.updatedAt}, but stores ${updatedAt}` })
    const mayBe = [last, ...ofReport.filter(({ outcome }) => outcome === 'unknown')]
    if (!mayBe.some((change) => change.title === title))
      found.push({ kind: 'lost', text: `Report ${reportId} has the title “${title}” instead of “${last.title}”` })
  }
  return found
}

const isLater = (change: TitleChange, latest: TitleChange | null) =>
  (change.updatedAt ?? '') > (latest?.updatedAt ?? '')
