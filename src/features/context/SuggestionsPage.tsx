import { Group, SegmentedControl } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { listsRecordsOptions } from '#src/api/context-records.ts'
import {
  sharedPagesOptions,
  type ShownSuggestion,
  suggestionOptions,
  suggestionPagesOptions,
} from '#src/api/context-suggestions.ts'
import { isMissing } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { type ShownList, useInfiniteList } from '#src/api/infinite-list.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { SuggestionList } from './SuggestionList.tsx'

const views = { pending: 'Pending', all: 'All', mine: 'Mine' } as const
type View = keyof typeof views
const isView = (name: string): name is View => Object.hasOwn(views, name)

/** The suggestions of everyone: the queue that admins decide, and what became of all others. */
export function Component() {
  const url = useQueryState()
  const { data: hasShared } = useQuery(listsRecordsOptions())
  const [show, search] = [url.one('show'), url.one('query')]
  const view: View = hasShared === false ? 'mine' : isView(show) ? show : 'pending'
  return (
    <>
      <title>Suggestions · Context · Assay</title>
      <PageHeader
        above={<TextLink href={paths.context()}>Context</TextLink>}
        title="Suggestions"
        facts="Changes that people suggest to shared records. Accepting one creates the record’s next revision."
      />
      {hasShared === undefined ? (
        <Loading />
      ) : (
        <>
          {hasShared ? (
            <Group gap={8} mb={16}>
              <SegmentedControl
                size="xs"
                aria-label="Which suggestions"
                data={Object.entries(views).map(([value, label]) => ({ value, label }))}
                value={view}
                onChange={(value) => url.set({ show: value === 'pending' ? null : value, suggestion: null })}
              />
              <ListSearch
                label="Search suggestions"
                value={search}
                onChange={(query) => url.set({ query, suggestion: null })}
              />
            </Group>
          ) : (
            <Notice title="This platform lists only your own suggestions." />
          )}
          {hasShared ? <SharedSuggestions view={view} search={search} /> : <OwnSuggestions />}
        </>
      )}
    </>
  )
}

const filters = {
  pending: { status: ['pending' as const], sort: 'created' as const },
  all: {},
  mine: { own: true },
}

const labels = { pending: 'Pending suggestions', all: 'All suggestions', mine: 'My suggestions' }

function SharedSuggestions({ view, search }: { view: View; search: string }) {
  const list = useInfiniteList(sharedPagesOptions({ ...filters[view], ...(search !== '' && { search }) }), {
    keepPrevious: true,
  })
  const emptyTitle = search === '' ? emptyTitles[view] : 'No suggestions match this search'
  return <Suggestions label={labels[view]} list={list} emptyTitle={emptyTitle} isDecidable />
}

/** For platforms that have only what the API document describes. */
function OwnSuggestions() {
  const list = useInfiniteList(suggestionPagesOptions(), { keepPrevious: true })
  return <Suggestions label={labels.mine} list={list} emptyTitle={emptyTitles.mine} isDecidable={false} />
}

const emptyTitles = { pending: 'No pending suggestions', all: 'No suggestions yet', mine: 'No suggestions yet' }

type Props = {
  label: string
  list: ShownList<ShownSuggestion>
  emptyTitle: string
  /** Whether the platform has a route to decide them. */
  isDecidable: boolean
}

function Suggestions({ label, list: { rows, error, retry, more }, emptyTitle, isDecidable }: Props) {
  const openId = useQueryState().one('suggestion')
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const canDecide = isDecidable && permissionsOf(caller).manageContext
  const isElsewhere = openId !== '' && rows !== undefined && !rows.some(({ suggestionId }) => suggestionId === openId)
  if (isMissing(error)) return <Disabled />
  return (
    <>
      {error && !rows && <ErrorNotice title="The suggestions could not be loaded" error={error} onRetry={retry} />}
      {!error && !rows && <Loading />}
      {isElsewhere && <LinkedSuggestion key={openId} suggestionId={openId} canDecide={canDecide} />}
      {rows?.length === 0 && (
        <EmptyState title={emptyTitle} hint="To suggest a change, open a record and select “Suggest a change”." />
      )}
      {rows && <SuggestionList label={label} suggestions={rows} more={more} canDecide={canDecide} />}
    </>
  )
}

const Loading = () => <LoadingArea label="Loading suggestions" height={96} />

const Disabled = () => (
  <EmptyState
    title="Context suggestions are disabled for this organization"
    hint="The operator of this platform can enable them with “npm run -s assay -- context enable --org <slug>”. Earlier suggestions are kept."
  />
)

/** The linked suggestion if the list below does not contain it, because it is older or no longer pending. */
function LinkedSuggestion({ suggestionId, canDecide }: { suggestionId: string; canDecide: boolean }) {
  const { data, error, refetch } = useQuery(suggestionOptions(suggestionId))
  if (error)
    return <ErrorNotice title="The suggestion could not be loaded" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  if (data === null)
    return <Notice title="Suggestion not found.">It belongs to another organization, or never existed.</Notice>
  return <SuggestionList label="The linked suggestion" suggestions={[data]} canDecide={canDecide} />
}
