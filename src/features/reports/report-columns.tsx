import type { Report } from '#contract/reports.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import classes from './reports.module.css'

/** No column is sortable, because only the first pages of the list are loaded, ordered by last change. */
export const reportColumns: Column<Report>[] = [
  {
    id: 'title',
    header: 'Report',
    cell: ({ title, description }) => (
      <span className={classes.rowTitle}>
        {title}
        {description && <span className={classes.rowDescription}>{description}</span>}
      </span>
    ),
  },
  { id: 'updatedBy', header: 'Updated by', cell: ({ updatedBy }) => updatedBy.name, width: '160px', from: 'sm' },
  {
    id: 'updated',
    header: 'Updated',
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    align: 'right',
    width: '104px',
  },
  { id: 'createdBy', header: 'Created by', cell: ({ createdBy }) => createdBy.name, width: '160px', from: 'md' },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    align: 'right',
    width: '104px',
    from: 'md',
  },
]
