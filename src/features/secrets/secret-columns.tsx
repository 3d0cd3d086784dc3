import type { Secret } from '#contract/secrets.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import { SecretActions } from './SecretActions.tsx'
import classes from './secrets.module.css'
import { UsedBy } from './UsedBy.tsx'

export const secretColumns = ({ manages }: { manages: boolean }): Column<Secret>[] => [
  {
    id: 'slug',
    header: 'Secret',
    cell: ({ slug }) => (
      <span className={classes.slug} title={slug}>
        {slug}
      </span>
    ),
    value: ({ slug }) => slug,
  },
  {
    id: 'description',
    header: 'Description',
    cell: ({ description }) => (
      <span className={classes.description} title={description}>
        {description ?? '–'}
      </span>
    ),
    value: ({ description }) => description ?? null,
    from: 'sm',
  },
  {
    id: 'usedBy',
    header: 'Used by',
    cell: (secret) => <UsedBy secret={secret} />,
    value: ({ usedBy }) => usedBy.length,
    width: '168px',
    from: 'sm',
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never'),
    value: ({ lastUsedAt }) => lastUsedAt ?? null,
    align: 'right',
    width: '104px',
    from: 'md',
  },
  {
    id: 'updatedBy',
    header: 'Updated by',
    value: ({ updatedBy }) => updatedBy.name,
    width: '144px',
    from: 'md',
  },
  timeColumn(({ updatedAt }) => updatedAt, { id: 'updated', header: 'Updated', width: '96px', from: 'sm' }),
  {
    id: 'createdBy',
    header: 'Created by',
    value: ({ createdBy }) => createdBy.name,
    width: '144px',
    optional: true,
  },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Created', width: '96px', optional: true }),
  {
    id: 'actions',
    header: manages ? 'Actions' : 'Reference',
    cell: (secret) => <SecretActions secret={secret} manages={manages} />,
    align: 'right',
    width: manages ? '120px' : '96px',
  },
]
