import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { bulkActionListOptions } from '#src/api/bulk-actions.ts'
import { BulkMeter, describeProgress, StopOrGoOn } from './BulkProgress.tsx'
import { doingOf } from './bulk-words.ts'
import classes from './bulk.module.css'

/** Everyone's bulk actions that are running, or that failed with runs left. */
export function BulkStrip({ onShow }: { onShow: (id: string) => void }) {
  const { data } = useQuery(bulkActionListOptions())
  const open = data?.actions.filter(
    ({ state, progress }) => state === 'running' || (state === 'failed' && progress.pending > 0),
  )
  if (!open || open.length === 0) return null
  return (
    <section className={classes.strip} aria-label="Bulk actions in progress">
      {open.map((action) => (
        <div key={action.id} className={classes.line}>
          <strong>{doingOf(action, false)}</strong>
          <BulkMeter action={action} />
          <span>
            {describeProgress(action)} · {action.createdBy.name}
          </span>
          <Button size="compact-sm" variant="subtle" onClick={() => onShow(action.id)}>
            Details
          </Button>
          <StopOrGoOn action={action} />
        </div>
      ))}
    </section>
  )
}
