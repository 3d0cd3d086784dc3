import { Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { reviewOptions, reviewQueueOptions } from '#src/api/reviews.ts'
import type { RunFilters } from '#src/api/runs.ts'
import { toRunSort } from '#src/features/runs/list/run-columns.tsx'
import { isFiltered, readRunFilters, toRunQuery, totalOf } from '#src/features/runs/list/run-filters.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import panePage from '#src/ui/pane-page.module.css'
import { AgreementView } from './AgreementView.tsx'
import { ReviewedRun } from './ReviewedRun.tsx'
import classes from './review.module.css'
import { listQueryOf } from './review-query.ts'
import { type QueueList, useQueue } from './use-queue.ts'
import { useRemovedTag } from './use-removed-tag.ts'

/** One run after the other, for a person who labels them. The URL has the filters of the list and the open run. */
export function Component() {
  const [search] = useSearchParams()
  const applied = readRunFilters(search)
  const filters = toRunQuery(applied)
  const sort = toRunSort(search.get('sort') ?? '')
  const { rows, firstPage, error, retry, query } = useInfiniteList(reviewQueueOptions({ ...filters, sort }))
  const { fetchNextPage } = query
  const loadMore = useCallback(async () => {
    const { data, hasNextPage, isError } = await fetchNextPage()
    return { runs: data?.pages.flatMap(({ runs }) => runs) ?? [], hasMore: hasNextPage && !isError }
  }, [fetchNextPage])
  const [isComparing, comparing] = useDisclosure()
  const list = `${paths.runs()}?${listQueryOf(search)}`
  const total = totalOf(firstPage?.statusCounts, applied.status)
  return (
    <div className={panePage.page}>
      <title>Review · Assay</title>
      <PageHeader
        above={<TextLink href={list}>← Back to the list</TextLink>}
        title="Review"
        facts={
          total !== undefined && (
            <span>
              {isFiltered(applied) ? `${counted(total, 'run')} that match the filters` : counted(total, 'run')}
            </span>
          )
        }
        actions={
          <Button variant="default" onClick={comparing.open}>
            Show agreement
          </Button>
        }
      />
      {error && <ErrorNotice title="The runs could not be loaded" error={error} onRetry={retry} />}
      {!rows && !error && <Skeleton height={240} />}
      {rows?.length === 0 && (
        <EmptyState
          title="No runs to review"
          hint="No run matches the filters."
          action={<TextLink href={list}>Change the filters</TextLink>}
        />
      )}
      {rows && rows.length > 0 && (
        <Queue
          list={{
            runs: rows,
            total: total ?? rows.length,
            // After a failure the reader decides when to try again.
            hasMore: query.hasNextPage && !error,
            isLoading: query.isFetchingNextPage,
            loadMore,
          }}
          filters={filters}
        />
      )}
      <Dialog opened={isComparing} onClose={comparing.close} title="Agreement between two reviewers" size="xl">
        <AgreementView filters={filters} />
      </Dialog>
    </div>
  )
}

function Queue({ list, filters }: { list: QueueList; filters: RunFilters }) {
  const { data: review, error, refetch } = useQuery(reviewOptions(filters))
  const queue = useQueue(list, review)
  const removal = useRemovedTag(filters)
  return (
    <>
      {error && <ErrorNotice title="Your progress could not be loaded" error={error} onRetry={() => void refetch()} />}
      {queue.isMissing && (
        <div className={classes.missing}>
          <Notice title="The linked run was not found here.">
            It may be removed, filtered out, or far down the list. This is the first run.
          </Notice>
        </div>
      )}
      {queue.run ? (
        <ReviewedRun key={queue.run.id} queue={queue} runId={queue.run.id} filters={filters} removal={removal} />
      ) : (
        <Skeleton height={240} />
      )}
    </>
  )
}
