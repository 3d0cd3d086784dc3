import { Button, Skeleton } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'

import type { SqlInsight } from '#contract/insights.ts'
import type { PublishedInsight } from '#contract/publications.ts'
import { experimentOptions } from '#src/api/experiments.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { publishInsight } from '#src/api/insights.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { paths } from '#src/paths.ts'
import classes from '#src/shared/publishing/publishing.module.css'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'
import { identifyingColumns } from './identifying-columns.ts'
import { useLiveResult } from './LiveResult.tsx'
import { identifiesPeople, PublishWarnings } from './PublishWarnings.tsx'

const PublishedPreview = lazy(async () => ({
  default: (await import('#src/embed/PublishedPreview.tsx')).PublishedPreview,
}))

/** Previews the public page and says what is frozen and what stays live. */
export function PublishForm({ insight, sql }: { insight: SqlInsight; sql: string }) {
  const { table, asOf, error, refetch } = useLiveResult(insight)
  const named = useNames(insight)
  const publishing = useMutation({ mutationFn: publishInsight })
  const preview = table && asOf && named ? toPublished(insight, { table, asOf, ...named }) : null
  const found = preview && identifyingColumns(sql, preview)
  return (
    <div className={classes.content}>
      <p className={classes.words}>
        Anyone with the link can see this without signing in, with the names of your organization and of the experiment.
        The query, scope, title, description and chart are frozen as they are now; <strong>the rows stay live</strong>{' '}
        and update as runs finish. Later edits don’t change the page.{' '}
        <strong>You can only revoke it by deleting the insight.</strong>
      </p>
      {error && <ErrorNotice title="Query failed" error={error} onRetry={() => void refetch()} />}
      {!preview && !error && <Skeleton height={200} />}
      {found && <PublishWarnings found={found} editHref={paths.insight(insight.reference, { edit: '1' })} />}
      {preview && (
        <section className={classes.preview} aria-label="Public preview">
          <Suspense fallback={<Skeleton height={200} />}>
            <PublishedPreview insight={preview} />
          </Suspense>
        </section>
      )}
      {preview && isChart(preview) && (
        <p className={classes.words}>
          Viewers can also open the full table, with these columns: {preview.columns.map(({ name }) => name).join(', ')}
          .
        </p>
      )}
      {publishing.error && <ErrorNotice title="The insight was not published" error={publishing.error} />}
      <Button
        className={formParts.verb}
        disabled={!preview}
        title={preview ? undefined : 'Only a query with a result can be published'}
        loading={publishing.isPending}
        onClick={() => publishing.mutate(insight.reference)}
      >
        {found && identifiesPeople(found) ? 'Publish anyway' : 'Publish to anyone with the link'}
      </Button>
    </div>
  )
}

const isChart = ({ presentation }: PublishedInsight) => presentation !== undefined && presentation.kind !== 'table'

type Named = Pick<PublishedInsight, 'organization' | 'about'>

/** The organization and the experiment as the public page names them; null until they have loaded. */
function useNames({ provenance }: SqlInsight): Named | null {
  const { kind, experimentId = '' } = provenance
  const { data: caller } = useQuery(whoamiOptions())
  const { data: experiment } = useQuery({ ...experimentOptions(experimentId), enabled: experimentId !== '' })
  const organization = caller?.organizations.find(({ id }) => id === currentOrganizationId())
  if (!organization || (experimentId !== '' && !experiment)) return null
  const { name } = organization
  return { organization: { name }, about: { kind, ...(experiment && { experiment: experiment.name }) } }
}

type Live = Named & { table: NonNullable<ReturnType<typeof useLiveResult>['table']>; asOf: string }

function toPublished(
  { heading, description, presentation, publishedAt }: SqlInsight,
  { table, asOf, ...named }: Live,
): PublishedInsight {
  const { statistics: _, ...shown } = table
  return {
    heading,
    ...(description && { description }),
    ...(presentation && { presentation }),
    ...named,
    ...shown,
    publishedAt: publishedAt ?? asOf,
    asOf,
  }
}
