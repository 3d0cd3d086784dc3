import { useState } from 'react'

import type { ApiKey } from '#contract/api-keys.ts'
import type { KeyScope } from '#src/api/api-keys.ts'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import cells from '#src/ui/table/cells.module.css'
import classes from './api-keys.module.css'
import { KeyActions } from './KeyActions.tsx'
import { stateOf } from './key-state.ts'

const name: Column<ApiKey> = {
  id: 'name',
  header: 'Key',
  cell: (key) => (
    <span className={cells.lines}>
      <span className={cells.name} title={key.name}>
        {key.name}
      </span>
      <span className={classes.marks}>
        {key.prefix && <code>{key.prefix}…</code>}
        <Marks apiKey={key} />
      </span>
    </span>
  ),
  value: (key) => key.name,
}

function Marks({ apiKey }: { apiKey: ApiKey }) {
  const [now] = useState(Date.now)
  const state = stateOf(apiKey, now)
  return (
    <>
      {apiKey.isCurrent && <span className={classes.mark}>this session</span>}
      {apiKey.isDemo && (
        <span className={classes.mark} title="It ends when a second organization is created">
          demo sign-in
        </span>
      )}
      {state && (
        <span className={classes.mark} data-tone={state.tone} title={state.hint}>
          {state.label}
        </span>
      )}
    </>
  )
}

const roleAndOwner: Column<ApiKey>[] = [
  { id: 'kind', header: 'Kind', value: ({ kind }) => kind, width: '112px', from: 'md' },
  {
    id: 'owner',
    header: 'Owner or creator',
    cell: ({ owner }) => (
      <span className={classes.owner} title={owner.email}>
        {owner.name}
      </span>
    ),
    value: ({ owner }) => owner.email ?? owner.name,
    width: '152px',
    from: 'sm',
  },
  {
    id: 'role',
    header: 'Role',
    cell: ({ role }) => role ?? 'none',
    value: ({ role }) => role ?? null,
    width: '80px',
    from: 'sm',
  },
]

const dates: Column<ApiKey>[] = [
  {
    id: 'used',
    header: 'Last used',
    hint: 'Accurate to about a minute',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never'),
    value: ({ lastUsedAt }) => lastUsedAt ?? null,
    align: 'right',
    width: '96px',
    from: 'sm',
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} isPlanned /> : 'never'),
    value: ({ expiresAt }) => expiresAt ?? null,
    align: 'right',
    width: '88px',
  },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Created', width: '88px', from: 'md' }),
]

export const apiKeyColumns = (scope: KeyScope): Column<ApiKey>[] => [
  name,
  ...(scope === 'organization' ? roleAndOwner : []),
  ...dates,
  {
    id: 'actions',
    header: 'Actions',
    cell: (key) => <KeyActions apiKey={key} scope={scope} />,
    align: 'right',
    width: '88px',
  },
]
