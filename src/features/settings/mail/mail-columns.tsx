import '#src/ui/status-marks.css'
import type { MailLogEntry, MailState } from '#contract/mail.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import cells from '#src/ui/table/cells.module.css'
import classes from './mail.module.css'

export const stateLabels: Record<MailState, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  failed: 'Failed',
  canceled: 'Canceled',
}

export const mailColumns: Column<MailLogEntry>[] = [
  {
    id: 'subject',
    header: 'Subject',
    cell: ({ subject, to, fault }) => (
      <span className={cells.lines}>
        <span className={classes.subject} title={subject}>
          {subject}
        </span>
        <span className={classes.to}>to {to.email}</span>
        {fault && <span className={classes.fault}>{fault}</span>}
      </span>
    ),
    value: ({ subject }) => subject,
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => (
      <span className={cells.state} data-tone={state}>
        {stateLabels[state]}
      </span>
    ),
    value: ({ state }) => state,
    width: '96px',
  },
  { id: 'attempts', header: 'Attempts', value: ({ attempts }) => attempts, align: 'right', width: '80px', from: 'sm' },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Created', width: '88px' }),
]
