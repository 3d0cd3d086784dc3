import { Button, Skeleton, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { suggestionPagesOptions, suggestionOptions } from '#src/api/context-suggestions.ts'
import { isApiError } from '#src/api/errors.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Section } from '#src/ui/Section.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { RecordPicker } from './RecordPicker.tsx'
import classes from './suggestions.module.css'
import { SuggestionItem } from './SuggestionItem.tsx'

/** Suggest changes to the organization's shared records, and follow your own suggestions. */
export function Component() {
  const url = useQueryState()
  const pendingOnly = url.one('pending') !== ''
  const list = useInfiniteList(suggestionPagesOptions({ pendingOnly }), { keepPrevious: true })
  const suggestions = list.rows
  const openId = url.one('suggestion')
  const isElsewhere =
    openId !== '' && suggestions !== undefined && !suggestions.some(({ suggestionId }) => suggestionId === openId)
  const isDisabled = isApiError(list.error, 'not_found')
  return (
    <>
      <title>Context · Assay</title>
      <PageHeader
        title="Context"
        facts="Shared records about products, use cases, personas and agents. Anyone can suggest changes; your organization reviews them."
      />
      {isDisabled ? (
        <Disabled />
      ) : (
        <>
          <Section title="Suggest a change">
            <RecordPicker suggestions={suggestions ?? []} />
          </Section>
          <Section
            title="My suggestions"
            aside={
              <Switch
                size="xs"
                label="Pending only"
                checked={pendingOnly}
                onChange={(event) => url.set({ pending: event.currentTarget.checked ? '1' : null, suggestion: null })}
              />
            }
          >
            {list.error && !suggestions && (
              <ErrorNotice title="Your suggestions could not be loaded" error={list.error} onRetry={list.retry} />
            )}
            {list.query.isPending && <Skeleton height={96} aria-label="Loading suggestions" />}
            {suggestions?.length === 0 && (
              <EmptyState
                title={pendingOnly ? 'No pending suggestions' : 'No suggestions yet'}
                hint="Open a record above, edit its fields and explain the change."
              />
            )}
            {isElsewhere && <LinkedSuggestion key={openId} suggestionId={openId} />}
            <ul aria-label="My suggestions" className={classes.list}>
              {suggestions?.map((suggestion) => (
                <SuggestionItem key={suggestion.suggestionId} suggestion={suggestion} />
              ))}
            </ul>
            {list.more && (
              <Button variant="default" loading={list.more.pending} onClick={list.more.onMore}>
                Load more
              </Button>
            )}
          </Section>
        </>
      )}
    </>
  )
}

const Disabled = () => (
  <EmptyState
    title="Context suggestions are turned off for this organization"
    hint="The operator of this platform can turn them on with “assay context enable”. Your earlier suggestions are kept."
  />
)

/** The linked suggestion if the list below does not contain it, because it is older or no longer pending. */
function LinkedSuggestion({ suggestionId }: { suggestionId: string }) {
  const { data, error, refetch } = useQuery(suggestionOptions(suggestionId))
  if (error)
    return <ErrorNotice title="The suggestion could not be loaded" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={96} aria-label="Loading the suggestion" />
  if (data === null)
    return <Notice title="Suggestion not found.">You can only open suggestions that you submitted.</Notice>
  return (
    <ul aria-label="The linked suggestion" className={classes.list}>
      <SuggestionItem suggestion={data} />
    </ul>
  )
}
