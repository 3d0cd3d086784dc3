import { AuditEventName, AuditOutcome } from '#contract/audit.ts'
import type { AuditFilters } from '#src/api/audit.ts'

type Url = { one: (name: string) => string; all: (name: string) => string[] }

/** The filters of the URL. What is not a filter, such as an unknown event, is left out. */
export function readAuditFilters(url: Url): AuditFilters {
  const events = url.all('event').filter((event) => AuditEventName.safeParse(event).success) as AuditEventName[]
  const since = startOfDay(url.one('from'))
  const last = startOfDay(url.one('to'))
  return {
    event: events.length > 0 ? events : undefined,
    outcome: AuditOutcome.safeParse(url.one('outcome')).data,
    search: url.one('query') || undefined,
    since: since?.toISOString(),
    until: last && nextDay(last).toISOString(),
  }
}

function startOfDay(date: string) {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(date) ? new Date(`${date}T00:00:00`) : null
  return start && !Number.isNaN(start.getTime()) ? start : undefined
}

/** Includes the chosen last day, which has 23 or 25 hours when the clock changes. */
const nextDay = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1)
