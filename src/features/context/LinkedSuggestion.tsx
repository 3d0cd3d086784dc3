import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { suggestionOptions } from '#src/api/context-suggestions.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { SuggestionItem } from './SuggestionItem.tsx'
import classes from './suggestions.module.css'

/** The suggestion a link leads to where the list below does not show it: it is older, or no longer pending. */
export function LinkedSuggestion({ suggestionId }: { suggestionId: string }) {
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
