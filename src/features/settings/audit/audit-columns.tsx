import type { AuditEntry } from '#contract/audit.ts'
import { exactTime } from '#src/format/dates.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import cells from '#src/ui/table/cells.module.css'
import classes from './audit.module.css'
import { wordsOfEvent } from './event-names.ts'

/** `role: admin, role before: member`. */
const describeDetails = ({ details }: AuditEntry) =>
  Object.entries(details)
    .map(([name, value]) => `${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: ${value}`)
    .join(', ')

const nameOfActor = ({ actor }: AuditEntry) => actor.name ?? (actor.kind === 'unknown' ? 'Unknown' : actor.kind)

export const auditColumns: Column<AuditEntry>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: (entry) => (
      <span className={cells.lines}>
        <span className={classes.what}>
          {wordsOfEvent(entry.event)}
          {entry.outcome === 'refused' && <span className={classes.refused}> refused</span>}
        </span>
        <span className={classes.by}>by {nameOfActor(entry)}</span>
        <span className={classes.details} title={describeDetails(entry)}>
          {[entry.subject, describeDetails(entry)].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
    value: ({ event }) => event,
  },
  {
    id: 'actor',
    header: 'By',
    cell: (entry) => (
      <span className={classes.actor} title={`${nameOfActor(entry)} (${entry.actor.kind})`}>
        {nameOfActor(entry)}
      </span>
    ),
    value: nameOfActor,
    width: '184px',
    from: 'sm',
  },
  { id: 'address', header: 'Address', value: ({ address }) => address ?? null, width: '128px', from: 'md' },
  { id: 'outcome', header: 'Outcome', value: ({ outcome }) => outcome, width: '96px', optional: true },
  { id: 'subject', header: 'Subject', value: ({ subject }) => subject ?? null, width: '160px', optional: true },
  { id: 'request', header: 'Request', value: ({ requestId }) => requestId ?? null, width: '160px', optional: true },
  { id: 'exact', header: 'Exact time', value: ({ at }) => exactTime(at), width: '208px', optional: true },
  timeColumn(({ at }) => at, { id: 'at', header: 'When', width: '88px' }),
]
