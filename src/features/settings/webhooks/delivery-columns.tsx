import type { WebhookDelivery } from '#contract/webhooks.ts'
import { nameOfType } from '#src/shared/notification-entries/type-names.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import cells from '#src/ui/table/cells.module.css'
import { deliveryLabels } from './webhook-state.ts'

export const deliveryColumns: Column<WebhookDelivery>[] = [
  { id: 'type', header: 'Notification', cell: ({ type }) => nameOfType(type), value: ({ type }) => type },
  {
    id: 'state',
    header: 'State',
    cell: ({ state }) => (
      <span className={cells.state} data-tone={state === 'delivered' ? undefined : state}>
        {deliveryLabels[state]}
      </span>
    ),
    value: ({ state }) => state,
    width: '96px',
  },
  {
    id: 'status',
    header: 'Answer',
    hint: 'The HTTP status of the last attempt',
    cell: ({ lastStatus, attempts }) => lastStatus ?? (attempts > 0 ? 'none' : '–'),
    value: ({ lastStatus }) => lastStatus ?? null,
    align: 'right',
    width: '72px',
    from: 'sm',
  },
  {
    id: 'attempts',
    header: 'Attempts',
    value: ({ attempts }) => attempts,
    align: 'right',
    width: '80px',
    from: 'sm',
  },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'When', width: '88px' }),
]
