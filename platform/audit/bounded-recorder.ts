import { audited, type Auditing } from './audited.ts'
import type { AuditEvent, AuditActor } from '#platform/context/audit-events.ts'

type Outcome = NonNullable<AuditEvent['outcome']>
type Skipped = { event: AuditEvent['event']; outcome: Outcome; count: number }

const windowMs = 60_000
const eventsPerWindow = 10

type Window = { counts: Map<string, number>; skipped: Map<string, Skipped> }

/**
 * Records events that any caller can cause, without filling the disk: ten a minute for each source, then a count of the
 * rest. All callers without an active key are one source.
 */
export function boundedRecorder(services: Auditing) {
  let window: Window | undefined
  let timer: NodeJS.Timeout | undefined

  async function endWindow() {
    clearTimeout(timer)
    const skipped = [...(window?.skipped.values() ?? [])]
    window = undefined
    if (skipped.length === 0) return
    await audited(services, async (_, record) => {
      for (const { event, outcome, count } of skipped)
        record({ event, organizationId: null, outcome, details: { notRecorded: count } })
    })
  }

  function openWindow() {
    timer = setTimeout(() => void endWindow().catch(logFailedRecord), windowMs).unref()
    return { counts: new Map<string, number>(), skipped: new Map<string, Skipped>() }
  }

  /** Returns false if the event is only counted. */
  function isRecorded(source: string, event: AuditEvent['event'], outcome: Outcome) {
    window ??= openWindow()
    const { counts, skipped } = window
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    if (count <= eventsPerWindow) return true
    const kind = `${event} ${outcome}`
    skipped.set(kind, { event, outcome, count: (skipped.get(kind)?.count ?? 0) + 1 })
    return false
  }

  return {
    isRecorded,
    record: (by: AuditActor, events: readonly AuditEvent[]) =>
      audited({ ...services, by }, async (_, record) => events.forEach(record)),
    close: () => endWindow().catch(logFailedRecord),
  }
}

export const logFailedRecord = (error: unknown) =>
  console.error('An audit event could not be recorded:', error instanceof Error ? error.message : error)
