import type { ContextRecordSummary } from '#contract/context-records.ts'
import { emptyValue } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import classes from './records.module.css'
import { kindLabels } from './labels.ts'

type Sort = 'name' | 'changed'

export const recordColumns: Column<ContextRecordSummary, Sort>[] = [
  {
    id: 'name',
    header: 'Record',
    sort: 'name',
    cell: ({ name, excerpt }) => (
      <span className={classes.row}>
        <span className={classes.name}>{name}</span>
        {excerpt && <span className={classes.excerpt}>{excerpt}</span>}
      </span>
    ),
    value: ({ name }) => name,
  },
  { id: 'kind', header: 'Kind', value: ({ kind }) => kindLabels[kind], width: '96px', from: 'sm' },
  { id: 'id', header: 'Id', value: ({ targetId }) => targetId, width: '160px', optional: true },
  {
    id: 'pending',
    header: 'Suggestions',
    hint: 'Suggestions that wait for a decision',
    cell: ({ pendingSuggestions }) =>
      pendingSuggestions > 0 && <span className={classes.pending}>{`${pendingSuggestions} pending`}</span>,
    value: ({ pendingSuggestions }) => pendingSuggestions,
    width: '112px',
    from: 'sm',
  },
  {
    id: 'changedBy',
    header: 'Changed by',
    value: ({ changedBy }) => changedBy?.name ?? emptyValue,
    width: '160px',
    from: 'md',
  },
  timeColumn(({ changedAt }) => changedAt, { id: 'changed', header: 'Changed', sort: 'changed', width: '88px' }),
]
