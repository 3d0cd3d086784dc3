import type { Report } from '#contract/reports.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import classes from './reports.module.css'

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
    value: ({ title }) => title,
  },
  { id: 'updatedBy', header: 'Updated by', value: ({ updatedBy }) => updatedBy.name, width: '160px', from: 'sm' },
  timeColumn(({ updatedAt }) => updatedAt, { id: 'updated', header: 'Updated', width: '104px' }),
  { id: 'createdBy', header: 'Created by', value: ({ createdBy }) => createdBy.name, width: '160px', from: 'md' },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Created', width: '104px', from: 'md' }),
]
