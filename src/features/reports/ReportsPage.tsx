import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { queryClient } from '#src/api/query-client.ts'
import { reportListOptions } from '#src/api/reports.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { NewReportDialog } from './NewReportDialog.tsx'
import { reportColumns } from './report-columns.tsx'

export function loader() {
  void queryClient.prefetchInfiniteQuery(reportListOptions())
  return null
}

export function Component() {
  const list = useInfiniteList(reportListOptions())
  return (
    <>
      <title>Reports · Assay</title>
      <PageHeader
        title="Reports"
        facts="Shared write-ups of your findings."
        actions={
          <Button component={Link} to={paths.newReport()} leftSection={<IconPlus size={14} aria-hidden />}>
            New report
          </Button>
        }
      />
      <DataTable
        label="reports"
        columns={reportColumns}
        rows={list.rows}
        rowId={({ id }) => id}
        rowHref={({ id }) => paths.report(id)}
        error={list.error}
        onRetry={list.retry}
        empty={{
          title: 'No reports yet',
          hint: 'Write in Markdown, embed live results, and edit together.',
          action: <TextLink href={paths.newReport()}>Create your first report</TextLink>,
        }}
      />
      <NewReportDialog />
    </>
  )
}
