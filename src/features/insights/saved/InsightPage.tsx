import { useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect, useParams } from 'react-router'

import { readChartReference } from '#contract/chart-kinds.ts'
import { ApiError } from '#src/api/errors.ts'
import { insightOptions } from '#src/api/insights.ts'
import { queryClient } from '#src/api/query-client.ts'
import { Section } from '#src/ui/Section.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { presentationQuery } from '#src/features/insights/query/query-state.ts'
import { LazySqlEditor } from '#src/features/insights/query/LazySqlEditor.tsx'
import classes from '#src/features/insights/query/saved.module.css'
import type { SqlInsight } from '#contract/insights.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { insightHref, queryHref } from './insight-links.ts'
import { InsightDialogs } from './InsightDialogs.tsx'
import { InsightHeader } from './InsightHeader.tsx'
import { LiveResult } from './LiveResult.tsx'

export async function loader({ params: { ref = '' } }: LoaderFunctionArgs) {
  if (readChartReference(ref)) throw redirect(insightHref(ref))
  await queryClient.ensureQueryData(insightOptions(ref))
  return null
}

/** A saved query with its live result, its SQL and its actions. */
export function Component() {
  const { ref = '' } = useParams()
  const { data } = useSuspenseQuery(insightOptions(ref))
  const { insight, sql = '', publication } = data
  if (insight.type !== 'sql') throw new ApiError('not_found', `Insight ${ref} was not found`, { status: 404 })
  const isLegacy = insight.dataSchema === 'legacy'
  const chart = insight.presentation ? presentationQuery(insight.presentation) : {}
  const query = queryHref(insight.provenance, sql, { ...chart, testAware: insight.includeTestAware && '1' })
  return (
    <>
      <title>{`${insight.heading} · Assay`}</title>
      <InsightHeader insight={insight} sql={sql} publication={publication} />
      {insight.description && <p className={classes.description}>{insight.description}</p>}
      {isLegacy ? <LegacyNotice insight={insight} /> : <LiveResult key={insight.id} insight={insight} />}
      <Section title="SQL" aside={!isLegacy && <TextLink href={query}>Open in query editor</TextLink>}>
        <div className={classes.sql}>
          <LazySqlEditor label={`SQL of ${insight.heading}`} value={sql} />
        </div>
      </Section>
      <InsightDialogs insight={insight} sql={sql} publication={publication} />
    </>
  )
}

/** Explains why there is no result, and what to do instead. */
function LegacyNotice({ insight: { provenance } }: { insight: SqlInsight }) {
  const { experimentId } = provenance
  return (
    <Notice title="This insight uses a retired data pipeline and can’t be run.">
      The tables it reads no longer exist. To get current results,{' '}
      {experimentId ? (
        <TextLink href={paths.fork(experimentId)}>{`fork ${experimentId}`}</TextLink>
      ) : (
        <TextLink href={paths.experiments()}>fork its experiment</TextLink>
      )}
      , run the fork and recreate the query.
    </Notice>
  )
}
