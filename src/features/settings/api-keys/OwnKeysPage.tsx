import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { apiKeyListOptions } from '#src/api/api-keys.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { apiKeyColumns } from './api-key-columns.tsx'
import { findsKey } from './find-key.ts'
import { KeyDialogs } from './KeyDialogs.tsx'
import { NewKeyLink } from './NewKeyLink.tsx'

const columns = apiKeyColumns('own')

/** The caller's personal keys in this organization. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  if (caller.keyKind !== 'personal')
    return (
      <EmptyState
        isPage
        title="Your API keys"
        hint="You are signed in with an organization key. Sign in with a key of your own to manage your keys."
      />
    )
  return <OwnKeys />
}

function OwnKeys() {
  const url = useQueryState()
  const search = url.one('query')
  const list = useInfiniteList(apiKeyListOptions('own'))
  const rows = useMemo(() => list.rows?.filter((key) => findsKey(key, search)), [list.rows, search])
  return (
    <>
      <title>Your API keys · Assay</title>
      <PageHeader
        title="Your API keys"
        facts="A key acts as you, with your role, in this organization. Use one for each script or machine."
        actions={<NewKeyLink page="keys" />}
      />
      <DataTable
        label="your keys"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={list.retry}
        filters={<ListSearch label="Search keys" value={search} onChange={(query) => url.set({ query })} />}
        empty={
          search === ''
            ? {
                title: 'You have no API keys here',
                hint: 'Create one to use the API or the command line.',
                action: <TextLink href={paths.newApiKey('keys')}>Create your first key</TextLink>,
              }
            : { title: 'No keys match this search' }
        }
      />
      <KeyDialogs scope="own" keys={list.rows} />
    </>
  )
}
