import { Button, Switch } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs, redirect } from 'react-router'

import { ContextKind, contextKinds } from '#contract/context-kinds.ts'
import { recordPagesOptions } from '#src/api/context-records.ts'
import { sharedPagesOptions, suggestionPagesOptions } from '#src/api/context-suggestions.ts'
import { isMissing } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { paths } from '#src/paths.ts'
import { SavedViews } from '#src/shared/saved-views/SavedViews.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { MultiFilter } from '#src/ui/MultiFilter.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { contextRecordSorts } from '#contract/context-records.ts'
import { kindLabels } from './labels.ts'
import { NewRecordDialog } from './NewRecordDialog.tsx'
import { recordColumns } from './record-columns.tsx'
import { RecordPicker } from './RecordPicker.tsx'

type Query = { one: (name: string) => string; all: (name: string) => string[] }

const sorts = contextRecordSorts.flatMap((field) => [field, `-${field}`] as const)

/** The filters in the URL of the list. A filter that the platform would refuse is left out. */
function readRecordFilters(url: Query) {
  const kind = url.all('kind').filter((value): value is ContextKind => ContextKind.safeParse(value).success)
  const search = url.one('search').slice(0, 200)
  const sort = sorts.find((known) => known === url.one('sort'))
  return {
    ...(search !== '' && { search }),
    ...(kind.length > 0 && { kind }),
    ...(url.one('pending') !== '' && { pending: true }),
    ...(sort && { sort }),
  }
}

const isFiltered = ({ search, kind, pending }: ReturnType<typeof readRecordFilters>) =>
  search !== undefined || kind !== undefined || pending !== undefined

/** Redirects old links to suggestions, which older notifications contain. */
export function loader({ request }: LoaderFunctionArgs) {
  const suggestion = new URL(request.url).searchParams.get('suggestion')
  return suggestion ? redirect(paths.contextSuggestions({ suggestion })) : null
}

/** The organization's shared records, to browse and to search. */
export function Component() {
  const url = useQueryState()
  const filters = readRecordFilters(url)
  const list = useInfiniteList(recordPagesOptions(filters), { keepPrevious: true })
  const isListed = !isMissing(list.error)
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const mayAdd = isListed && permissionsOf(caller).manageContext
  return (
    <>
      <title>Context · Assay</title>
      <PageHeader
        title="Context"
        facts="Shared records about products, use cases, personas and agents. Members suggest changes; admins decide."
        actions={
          <>
            <SuggestionsLink isListed={isListed} />
            {mayAdd && (
              <Button component={Link} to={paths.newContextRecord()} leftSection={<IconPlus size={14} aria-hidden />}>
                New record
              </Button>
            )}
          </>
        }
      />
      {isListed ? (
        <DataTable
          label="context records"
          columns={recordColumns}
          rows={list.rows}
          rowId={({ kind, targetId }) => `${kind} ${targetId}`}
          rowHref={({ kind, targetId }) => paths.contextRecord({ kind, id: targetId })}
          error={list.error}
          onRetry={list.retry}
          more={list.more}
          sort={url.one('sort')}
          isSorted
          onSort={(sort) => url.set({ sort })}
          filters={<RecordFilterBar active={isFiltered(filters)} />}
          empty={isFiltered(filters) ? nothingMatches : noRecords(mayAdd)}
        />
      ) : (
        <OpenById />
      )}
      {mayAdd && <NewRecordDialog />}
    </>
  )
}

const noRecords = (mayAdd: boolean) => ({
  title: 'No records yet',
  hint: 'A record describes a product, use case, persona or agent: what it is, what it can do, and its limits. Reports can mention it. Admins create records.',
  ...(mayAdd && { action: <TextLink href={paths.newContextRecord()}>Create the first record</TextLink> }),
})
const nothingMatches = { title: 'No records match', hint: 'Try fewer words, or remove a filter.' }

function RecordFilterBar({ active }: { active: boolean }) {
  const url = useQueryState()
  return (
    <FilterBar
      label="Filter records"
      active={active}
      activeCount={['kind', 'pending'].filter((name) => url.one(name) !== '').length}
      onClear={() => url.set({ search: null, kind: null, pending: null })}
      lead={
        <>
          <SavedViews page="context" />
          <ListSearch label="Search records" value={url.one('search')} onChange={(search) => url.set({ search })} />
        </>
      }
    >
      <MultiFilter
        label="Kind"
        options={contextKinds}
        labelOf={(kind) => kindLabels[ContextKind.catch('product').parse(kind)]}
        value={url.all('kind')}
        onChange={(kind) => url.set({ kind })}
      />
      <Switch
        size="xs"
        label="Pending suggestions"
        checked={url.one('pending') !== ''}
        onChange={(event) => url.set({ pending: event.currentTarget.checked ? '1' : null })}
      />
    </FilterBar>
  )
}

function SuggestionsLink({ isListed }: { isListed: boolean }) {
  const { rows, more } = useInfiniteList(sharedPagesOptions({ status: ['pending'], sort: 'created' }), { poll: false })
  const count = isListed && rows && rows.length > 0 ? ` (${rows.length}${more ? '+' : ''})` : ''
  return (
    <Button variant="default" component={Link} to={paths.contextSuggestions()}>
      {`Suggestions${count}`}
    </Button>
  )
}

/** For platforms that have only what the API document describes. */
const OpenById = () => (
  <>
    <Notice title="This platform can’t list records.">Open a record by its id.</Notice>
    <Section title="Open a record">
      <OwnRecordPicker />
    </Section>
  </>
)

/** Offers the records of the reader's own suggestions. */
function OwnRecordPicker() {
  const { rows } = useInfiniteList(suggestionPagesOptions())
  return <RecordPicker suggestions={rows ?? []} />
}
