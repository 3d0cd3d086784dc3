import { Skeleton } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useParams } from 'react-router'

import { ContextKind } from '#contract/context-kinds.ts'
import { pendingSuggestionsOptions, type RecordTarget, snapshotOptions } from '#src/api/context-suggestions.ts'
import { isApiError } from '#src/api/errors.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { SuggestionForm } from './SuggestionForm.tsx'
import { kindLabels } from './labels.ts'

const targetOf = ({ kind, id }: { kind?: string; id?: string }): RecordTarget | null => {
  const parsed = ContextKind.safeParse(kind)
  return parsed.success && id ? { kind: parsed.data, targetId: id } : null
}

/** Opening the page always loads the current record. */
export function loader({ params }: LoaderFunctionArgs) {
  const target = targetOf(params)
  if (!target) throw new Response('Unknown kind of context record', { status: 404 })
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
      <title>{`${name} · Context · Assay`}</title>
      <PageHeader
        above={<TextLink href={paths.context()}>Context</TextLink>}
        title={name}
        facts={
          <>
            <span>{kindLabels[target.kind]}</span> <span>{target.targetId}</span>
            {snapshot.data && <span>revision {snapshot.data.revision}</span>}
          </>
        }
      />
      {error && !snapshot.data && <Unavailable error={error} onRetry={() => void snapshot.refetch()} />}
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
        !error && <Skeleton height={320} aria-label="Loading the record" />
      )}
    </>
  )
}

function Unavailable({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!isApiError(error, 'not_found'))
    return <ErrorNotice title="The record could not be loaded" error={error} onRetry={onRetry} />
  return (
    <EmptyState
      title={error.message}
      hint="Check the id: it must match exactly. Only the operator of this platform can create records."
      action={<TextLink href={paths.context()}>Choose another record</TextLink>}
    />
  )
}
