import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { queryClient } from '#src/api/query-client.ts'
import { reportPagesOptions } from '#src/api/reports.ts'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { NewReportDialog } from './NewReportDialog.tsx'
import { reportColumns } from './report-columns.tsx'

export function loader() {
  void queryClient.prefetchInfiniteQuery(reportPagesOptions())
  return null
}

export function Component() {
  const list = useInfiniteList(reportPagesOptions())
  return (
    <>
      <title>Reports · Assay</title>
      <PageHeader
        title="Reports"
        facts="Findings the organization writes up together, last changed first."
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
        more={list.more}
        empty={{
          title: 'No reports yet',
          hint: 'A report is markdown with live results in it, written by everybody at once.',
          action: <TextLink href={paths.newReport()}>Begin the first one</TextLink>,
        }}
      />
      <NewReportDialog />
    </>
  )
}
