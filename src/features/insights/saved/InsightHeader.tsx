import { Badge, Button } from '@mantine/core'

import type { Publication, SqlInsight } from '#contract/insights.ts'
import { exactTime } from '#src/format/dates.ts'
import { getInsight } from '#contract/insights.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { CopyAs } from '#src/shared/copy-as/CopyAs.tsx'
import { curlOf } from '#src/shared/copy-as/curl-of.ts'
import { paths } from '#src/paths.ts'
import { CopyId } from '#src/ui/CopyId.tsx'
import { usePageAction } from '#src/ui/page-actions.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { RelativeTime } from '#src/ui/RelativeTime.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { DeleteInsight } from './DeleteInsight.tsx'
import classes from '#src/features/insights/query/saved.module.css'

type Props = { insight: SqlInsight; sql: string; publication: Publication | undefined }

export function InsightHeader({ insight, sql, publication }: Props) {
  const url = useQueryState()
  const { labels, owner, updatedBy, updatedAt, slug, canChange, dataSchema, publishedAt } = insight
  const isShared = (canChange || publication !== undefined) && dataSchema !== 'legacy'
  const share = () => url.push({ publish: '1' })
  usePageAction(isShared ? `Share ${insight.heading}` : undefined, share)
  return (
    <PageHeader
      above={<TextLink href={paths.insights()}>Insights</TextLink>}
      title={insight.heading}
      facts={
        <>
          <Scope insight={insight} />
          <CopyId id={slug} what="slug" />
          <span>by {owner.name}</span>
          <span>
            updated <RelativeTime at={updatedAt} />
            {updatedBy.id !== owner.id && ` by ${updatedBy.name}`}
          </span>
          {publishedAt && <span title={exactTime(publishedAt)}>public</span>}
          {labels.map((label) => (
            <Badge key={label} size="sm" variant="default" className={classes.label}>
              {label}
            </Badge>
          ))}
        </>
      }
      actions={
        <>
          <CopyAs
            curl={() => curlOf(getInsight, { ref: slug, limit: 10_000 }, currentOrganizationId())}
            sql={() => sql}
          />
          {canChange && (
            <>
              <DeleteInsight insight={insight} />
              <Button variant="default" onClick={() => url.push({ edit: '1' })}>
                Edit
              </Button>
            </>
          )}
          {isShared && <Button onClick={share}>{publication ? 'Public link' : 'Publish'}</Button>}
        </>
      }
    />
  )
}

/** The scope of the query. */
function Scope({ insight: { provenance, includeTestAware } }: { insight: SqlInsight }) {
  const { kind, experimentId = '', runId = '' } = provenance
  return (
    <span>
      {kind === 'run' && (
        <>
          Scope: run <TextLink href={paths.run(runId)}>{runId}</TextLink>
        </>
      )}
      {kind === 'experiment' && (
        <>
          Scope: <TextLink href={paths.experiment(experimentId)}>{experimentId}</TextLink>
        </>
      )}
      {kind === 'none' && 'Scope: whole organization'}
      {includeTestAware && kind !== 'run' && ', test-aware runs included'}
    </span>
  )
}
