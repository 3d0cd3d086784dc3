import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link, type LoaderFunctionArgs } from 'react-router'

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
import { ListSearch } from '#src/ui/ListSearch.tsx'
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
        filters={
          <FilterBar
            label="Filter secrets"
            active={false}
            onClear={() => url.set({ query: null })}
            lead={<ListSearch label="Search secrets" value={search} onChange={(query) => url.set({ query })} />}
          />
        }
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
