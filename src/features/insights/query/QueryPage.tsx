import { useQuery, useSuspenseQuery } from '@tanstack/react-query'

import { allExperimentsOptions } from '#src/api/experiments.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ModeledPane } from './ModeledPane.tsx'
import { ScopeBanner } from './ScopeBanner.tsx'
import { ExperimentChoices } from './ExperimentChoices.tsx'
import { SqlPane } from './SqlPane.tsx'
import { useQueryUrl } from './use-query-url.ts'

export async function loader() {
  void queryClient.prefetchQuery(allExperimentsOptions())
  await queryClient.ensureQueryData(whoamiOptions())
  return null
}

/** Queries the results of the organization, an experiment or a run in SQL, or of an experiment with the builder. */
export function Component() {
  const { state } = useQueryUrl()
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const experiments = useQuery(allExperimentsOptions())
  const key = JSON.stringify(state.target)
  return (
    <>
      <title>Query · Assay</title>
      <PageHeader above={<TextLink href={paths.insights()}>Insights</TextLink>} title="Query" />
      {caller.sql?.available === false && (
        <Notice title="Queries are turned off on this server.">{caller.sql.reason}</Notice>
      )}
      <ScopeBanner
        state={state}
        experiments={experiments.data?.experiments ?? []}
        organizations={caller.organizations}
        userId={caller.actor.id}
      />
      {state.target === null ? (
        <ExperimentChoices experiments={experiments.data?.experiments ?? []} userId={caller.actor.id} />
      ) : state.isModeled ? (
        <ModeledPane key={`modeled ${key}`} target={state.target} />
      ) : (
        <SqlPane key={key} target={state.target} userId={caller.actor.id} />
      )}
    </>
  )
}
