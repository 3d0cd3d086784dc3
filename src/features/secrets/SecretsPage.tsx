import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { useDebouncedCallback } from '@mantine/hooks'

import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { queryClient } from '#src/api/query-client.ts'
import { secretListOptions } from '#src/api/secrets.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { SearchField } from '#src/ui/SearchField.tsx'
import { secretColumns } from './secret-columns.tsx'
import { SecretDialog } from './SecretDialog.tsx'

export function loader({ request }: LoaderFunctionArgs) {
  void queryClient.prefetchInfiniteQuery(secretListOptions(new URL(request.url).searchParams.get('query') ?? ''))
  return null
}

export function Component() {
  const url = useQueryState()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { manageSecrets } = permissionsOf(caller)
  const search = url.one('query')
  const list = useInfiniteList(secretListOptions(search), { keepPrevious: true })
  const columns = useMemo(() => secretColumns({ manages: manageSecrets }), [manageSecrets])
  return (
    <>
      <title>Secrets · Assay</title>
      <PageHeader
        title="Secrets"
        facts={`Encrypted and write-only. Runs that reference a secret receive it, and its value is masked in their output.${
          manageSecrets ? '' : ' Only admins can manage secrets.'
        }`}
        actions={
          manageSecrets && (
            <Button component={Link} to={paths.newSecret()} leftSection={<IconPlus size={14} aria-hidden />}>
              New secret
            </Button>
          )
        }
      />
      <DataTable
        label="secrets"
        columns={columns}
        rows={list.rows}
        rowId={({ slug }) => slug}
        error={list.error}
        onRetry={list.retry}
        filters={<SecretFilterBar />}
        empty={
          search === ''
            ? {
                title: 'No secrets yet',
                hint: 'Store the keys and tokens your agents need. A definition references a secret by its slug.',
                action: manageSecrets && <TextLink href={paths.newSecret()}>Create your first secret</TextLink>,
              }
            : { title: 'No secrets match this search' }
        }
      />
      {manageSecrets && <SecretDialog />}
    </>
  )
}

function SecretFilterBar() {
  const url = useQueryState()
  const [search, setSearch] = useState(url.one('query'))
  const save = useDebouncedCallback((query: string) => url.set({ query }), 200)
  const change = (text: string) => {
    setSearch(text)
    save(text)
  }
  return (
    <FilterBar label="Filter secrets" active={false} onClear={() => change('')}>
      <SearchField label="Search secrets" value={search} onChange={change} />
    </FilterBar>
  )
}
