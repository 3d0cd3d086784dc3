import { useMemo } from 'react'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { queryClient } from '#src/api/query-client.ts'
import { scheduleListOptions } from '#src/api/schedules.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { ListSearch } from '#src/ui/ListSearch.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { findsSchedule } from './find-schedule.ts'
import { columnsOfAll } from './schedule-columns.tsx'

export function loader() {
  void queryClient.prefetchInfiniteQuery(scheduleListOptions())
  return null
}

/** Every schedule of the organization. */
export function Component() {
  const url = useQueryState()
  const search = url.one('query')
  const list = useInfiniteList(scheduleListOptions())
  const rows = useMemo(() => list.rows?.filter((schedule) => findsSchedule(schedule, search)), [list.rows, search])
  return (
    <>
      <title>Schedules · Assay</title>
      <PageHeader
        above={<TextLink href={paths.runs()}>Runs</TextLink>}
        title="Schedules"
        facts="Runs that start by themselves, at given times or after each new version."
      />
      <DataTable
        label="schedules"
        columns={columnsOfAll}
        rows={rows}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.schedule(id)}
        error={list.error}
        onRetry={list.retry}
        filters={<ListSearch label="Search schedules" value={search} onChange={(query) => url.set({ query })} />}
        empty={
          search === ''
            ? {
                title: 'No schedules yet',
                hint: 'Open an experiment and choose “Schedules”.',
                action: <TextLink href={paths.experiments()}>Experiments</TextLink>,
              }
            : { title: 'No schedules match this search' }
        }
      />
    </>
  )
}
