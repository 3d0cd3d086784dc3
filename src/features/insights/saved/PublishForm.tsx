import { Button, Skeleton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { SqlInsight } from '#contract/insights.ts'
import type { PublishedInsight } from '#contract/publications.ts'
import { publishInsight } from '#src/api/insights.ts'
import { PublishedPreview } from '#src/embed/PublishedPreview.tsx'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { identifyingColumns } from './identifying-columns.ts'
import { useLiveResult } from './LiveResult.tsx'
import { identifiesPeople, PublishWarnings } from './PublishWarnings.tsx'
import classes from '#src/features/insights/query/saved.module.css'

/** Previews the public page and says what is frozen and what stays live. */
export function PublishForm({ insight, sql }: { insight: SqlInsight; sql: string }) {
  const { table, asOf, error, refetch } = useLiveResult(insight)
  const publishing = useMutation({ mutationFn: publishInsight })
  const preview = table && asOf ? toPublished(insight, table, asOf) : null
  const found = preview && identifyingColumns(sql, preview)
  return (
    <div className={classes.form}>
      <p className={classes.words}>
        Anyone with the link can see this without signing in. The query, scope, title, description and chart are frozen
        as they are now; <strong>the rows stay live</strong> and update as runs finish. Later edits don’t change the
        page. <strong>You can only revoke it by deleting the insight.</strong>
      </p>
      {error && <ErrorNotice title="Query failed" error={error} onRetry={() => void refetch()} />}
      {!preview && !error && <Skeleton height={200} />}
      {found && <PublishWarnings found={found} editHref={paths.insight(insight.reference, { edit: '1' })} />}
      {preview && (
        <section className={classes.preview} aria-label="Public preview">
          <PublishedPreview insight={preview} />
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
        className={classes.verb}
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

type Table = NonNullable<ReturnType<typeof useLiveResult>['table']>

function toPublished({ heading, description, presentation }: SqlInsight, table: Table, asOf: string): PublishedInsight {
  const { statistics: _, ...shown } = table
  return { heading, ...(description && { description }), ...(presentation && { presentation }), ...shown, asOf }
}
