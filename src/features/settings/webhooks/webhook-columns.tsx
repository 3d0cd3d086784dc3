import type { Webhook } from '#contract/webhooks.ts'
import { counted } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import cells from '#src/ui/table/cells.module.css'
import { stateOf } from './webhook-state.ts'
import classes from './webhooks.module.css'

export const webhookColumns: Column<Webhook>[] = [
  {
    id: 'name',
    header: 'Webhook',
    cell: ({ name, url }) => (
      <span className={cells.lines}>
        <span className={cells.name}>{name}</span>
        <span className={classes.url} title={url}>
          {url}
        </span>
      </span>
    ),
    value: ({ name }) => name,
  },
  {
    id: 'kind',
    header: 'Kind',
    cell: ({ kind }) => (kind === 'slack' ? 'Slack' : 'Webhook'),
    value: ({ kind }) => kind,
    width: '88px',
    from: 'sm',
  },
  {
    id: 'types',
    header: 'Notifications',
    cell: ({ types }) => (types ? counted(types.length, 'type') : 'all'),
    value: ({ types }) => types?.join(' ') ?? 'all',
    width: '136px',
    from: 'md',
  },
  {
    id: 'state',
    header: 'State',
    cell: (webhook) => {
      const { label, tone } = stateOf(webhook)
      return (
        <span className={cells.state} data-tone={tone} title={label}>
          {label}
        </span>
      )
    },
    value: (webhook) => stateOf(webhook).label,
    width: '144px',
  },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Added', width: '88px', from: 'md' }),
]
