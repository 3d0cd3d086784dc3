import { Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import type { Run } from '#contract/runs.ts'
import { reviewOptions, reviewQueueOptions, queueSize } from '#src/api/reviews.ts'
import type { RunFilters } from '#src/api/runs.ts'
import { isFiltered, readRunFilters, toRunQuery, totalOf } from '#src/features/runs/list/run-filters.ts'
import { count, counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { AgreementView } from './AgreementView.tsx'
import { ReviewedRun } from './ReviewedRun.tsx'
import classes from './review.module.css'
import { listQueryOf } from './review-query.ts'
import { useQueue } from './use-queue.ts'

/** One run after the other, for a person who labels them. The URL has the filters of the list and the open run. */
export function Component() {
  const [search] = useSearchParams()
  const applied = readRunFilters(search)
  const filters = toRunQuery(applied)
  const queue = useQuery(reviewQueueOptions(filters))
  const [isComparing, comparing] = useDisclosure()
  const list = `${paths.runs()}?${listQueryOf(search)}`
  const total = totalOf(queue.data?.statusCounts, applied.status)
  return (
    <div className={classes.page}>
      <title>Review · Assay</title>
      <PageHeader
        above={<TextLink href={list}>← Back to the list</TextLink>}
        title="Review"
        facts={
          total !== undefined && (
            <span>
              {isFiltered(applied) ? `${counted(total, 'run')} that match the filters` : counted(total, 'run')}
              {queue.data?.nextPageToken && `; the queue has the first ${count(queueSize)}`}
            </span>
          )
        }
        actions={
          <Button variant="default" onClick={comparing.open}>
            Show agreement
          </Button>
        }
      />
      {queue.error && (
        <ErrorNotice title="The runs could not be loaded" error={queue.error} onRetry={() => void queue.refetch()} />
      )}
      {!queue.data && !queue.error && <Skeleton height={240} />}
      {queue.data?.runs.length === 0 && (
        <EmptyState
          title="No runs to review"
          hint="No run matches the filters."
          action={<TextLink href={list}>Change the filters</TextLink>}
        />
      )}
      {queue.data && queue.data.runs.length > 0 && <Queue runs={queue.data.runs} filters={filters} />}
      <Dialog opened={isComparing} onClose={comparing.close} title="Agreement between two reviewers" size="xl">
        <AgreementView filters={filters} />
      </Dialog>
    </div>
  )
}

function Queue({ runs, filters }: { runs: readonly Run[]; filters: RunFilters }) {
  const { data: review } = useQuery(reviewOptions(filters))
  const queue = useQueue(runs, review?.ownRunIds)
  return <ReviewedRun key={queue.run.id} queue={queue} filters={filters} />
}
