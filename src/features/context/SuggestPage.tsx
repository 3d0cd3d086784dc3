import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useParams } from 'react-router'

import { pendingSuggestionsOptions, type RecordTarget, snapshotOptions } from '#src/api/context-suggestions.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { LoadingArea } from '#src/ui/LoadingArea.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { SuggestionForm } from './SuggestionForm.tsx'
import { kindLabels } from './labels.ts'
import { RecordUnavailable } from './RecordUnavailable.tsx'
import { requireTarget, targetOf } from './record-target.ts'

/** Opening the page always loads the current record. */
export function loader({ params }: LoaderFunctionArgs) {
  const target = requireTarget(params)
  queryClient.removeQueries(snapshotOptions(target))
  void queryClient.prefetchQuery(snapshotOptions(target))
  return null
}

export function Component() {
  const target = targetOf(useParams())
  return target && <Record key={`${target.kind} ${target.targetId}`} target={target} />
}

function Record({ target }: { target: RecordTarget }) {
  const replacedId = useQueryState().one('replaces')
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const snapshot = useQuery(snapshotOptions(target))
  const pending = useQuery({ ...pendingSuggestionsOptions(), enabled: replacedId !== '' })
  const replaced = pending.data?.suggestions.find(({ suggestionId }) => suggestionId === replacedId)
  const isReady = replacedId === '' || pending.data !== undefined
  const name = snapshot.data?.fields['name'] ?? target.targetId
  const error = snapshot.error ?? (isReady ? null : pending.error)
  return (
    <>
      <title>{`Suggest a change to ${name} · Context · Assay`}</title>
      <PageHeader
        above={<TextLink href={paths.contextRecord({ kind: target.kind, id: target.targetId })}>{name}</TextLink>}
        title="Suggest a change"
        facts={
          <>
            <span>{kindLabels[target.kind]}</span> <span>{target.targetId}</span>
            {snapshot.data && <span>revision {snapshot.data.revision}</span>}
          </>
        }
      />
      {error && !snapshot.data && <RecordUnavailable error={error} onRetry={() => void snapshot.refetch()} />}
      {replacedId !== '' && pending.data && !replaced && (
        <Notice title="That suggestion is no longer pending.">Submitting creates a new suggestion.</Notice>
      )}
      {snapshot.data && isReady ? (
        <SuggestionForm
          key={replaced?.suggestionId ?? 'new'}
          actorId={caller.actor.id}
          snapshot={snapshot.data}
          replaced={replaced}
          onSnapshot={() => Promise.all([snapshot.refetch(), replacedId !== '' && pending.refetch()])}
        />
      ) : (
        !error && <LoadingArea label="Loading the record" height={320} />
      )}
    </>
  )
}
