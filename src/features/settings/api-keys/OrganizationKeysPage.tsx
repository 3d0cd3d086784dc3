import { useMemo } from 'react'

import { apiKeyListOptions } from '#src/api/api-keys.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { paths } from '#src/paths.ts'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { apiKeyColumns } from './api-key-columns.tsx'
import { findsKey } from './find-key.ts'
import { KeyDialogs } from './KeyDialogs.tsx'
import { NewKeyLink } from './NewKeyLink.tsx'

const columns = apiKeyColumns('organization')
const kinds = ['organization', 'personal']

/** Every key with access to the organization, for its admins. */
export const Component = () => (
  <AdminsOnly title="API keys" right="see the keys of the organization and its members">
    <OrganizationKeys />
  </AdminsOnly>
)

function OrganizationKeys() {
  const url = useQueryState()
  const [search, kind] = [url.one('query'), url.one('kind')]
  const list = useInfiniteList(apiKeyListOptions('organization'))
  const rows = useMemo(
    () => list.rows?.filter((key) => (kind === '' || key.kind === kind) && findsKey(key, search)),
    [list.rows, search, kind],
  )
  const isFiltered = search !== '' || kind !== ''
  return (
    <>
      <title>API keys · Assay</title>
      <PageHeader
        title="API keys"
        facts="Keys of the organization, for services, and the personal keys of its members."
        actions={<NewKeyLink page="organization/keys" />}
      />
      <DataTable
        label="API keys"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        error={list.error}
        onRetry={list.retry}
        filters={
          <FilterBar
            label="Filter keys"
            active={isFiltered}
            onClear={() => url.set({ query: null, kind: null })}
            lead={
              <>
                <ListSearch label="Search keys" value={search} onChange={(query) => url.set({ query })} />
                <SingleFilter
                  label="Kind"
                  options={kinds}
                  value={kind || undefined}
                  onChange={(value) => url.set({ kind: value ?? null })}
                />
              </>
            }
          />
        }
        empty={
          isFiltered
            ? { title: 'No keys match these filters' }
            : {
                title: 'No keys yet',
                hint: 'A key of the organization lets a service use the API without acting as a person.',
                action: <TextLink href={paths.newApiKey('organization/keys')}>Create the first key</TextLink>,
              }
        }
      />
      <KeyDialogs scope="organization" keys={list.rows} />
    </>
  )
}
