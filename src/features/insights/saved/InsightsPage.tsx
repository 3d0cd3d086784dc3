import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'

import { allExperimentsOptions } from '#src/api/experiments.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { insightListOptions } from '#src/api/insights.ts'
import { queryClient } from '#src/api/query-client.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { insightColumns } from './insight-columns.tsx'
import { readInsightFilters } from './insight-filters.ts'
import { insightHref } from './insight-links.ts'
import { InsightFilterBar } from './InsightFilterBar.tsx'

export function loader({ request }: LoaderFunctionArgs) {
  const filters = readInsightFilters(new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(insightListOptions(filters))
  return null
}

export function Component() {
  const [search] = useSearchParams()
  const filters = readInsightFilters(search)
  const list = useInfiniteList(insightListOptions(filters), { keepPrevious: true })
  const experiments = useQuery(allExperimentsOptions())
  const { experiment, run } = filters
  return (
    <>
      <title>Insights · Assay</title>
      <PageHeader
        title="Insights"
        facts="Saved queries. Results are live and can be shared publicly."
        actions={
          <Button
            component={Link}
            to={paths.query(run ? { run } : experiment ? { experiment } : {})}
            leftSection={<IconPlus size={14} aria-hidden />}
          >
            New query
          </Button>
        }
      />
      <DataTable
        label="insights"
        columns={insightColumns}
        rows={list.rows}
        rowId={({ reference }) => reference}
        rowHref={({ reference }) => insightHref(reference)}
        error={list.error}
        onRetry={list.retry}
        filters={
          <InsightFilterBar
            insights={list.rows ?? []}
            experimentIds={experiments.data?.experiments.map(({ id }) => id) ?? []}
          />
        }
        empty={
          Object.keys(filters).length === 0
            ? {
                title: 'No insights yet',
                hint: 'Query results with SQL and save the queries you want to reuse.',
                action: <TextLink href={paths.query({})}>Write your first query</TextLink>,
              }
            : { title: 'No insights match these filters' }
        }
      />
    </>
  )
}
