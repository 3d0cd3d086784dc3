import { useInfiniteList } from '#src/api/infinite-list.ts'
import { queryClient } from '#src/api/query-client.ts'
import { scheduleListOptions } from '#src/api/schedules.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { columnsOfAll } from './schedule-columns.tsx'

export function loader() {
  void queryClient.prefetchInfiniteQuery(scheduleListOptions())
  return null
}

/** Every schedule of the organization. */
export function Component() {
  const list = useInfiniteList(scheduleListOptions())
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
        rows={list.rows}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.schedule(id)}
        error={list.error}
        onRetry={list.retry}
        empty={{
          title: 'No schedules yet',
          hint: 'Open an experiment and choose “Schedules”.',
          action: <TextLink href={paths.experiments()}>Experiments</TextLink>,
        }}
      />
    </>
  )
}
