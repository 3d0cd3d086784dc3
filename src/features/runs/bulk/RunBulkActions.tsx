import { useDisclosure } from '@mantine/hooks'

import type { Run, StatusCounts } from '#contract/runs.ts'
import type { RunFilters } from '#src/api/runs.ts'
import { BulkBar } from './BulkBar.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import { BulkStrip } from './BulkStrip.tsx'
import { ExportRuns } from './ExportRuns.tsx'
import { useBulkAction } from './use-bulk-action.ts'
import type { RunSelection } from './use-run-selection.ts'

type Props = {
  filters: RunFilters
  statusCounts: StatusCounts | undefined
  total: number | undefined
  rows: readonly Run[]
  selection: RunSelection
}

/** Everything about bulk actions in a list of runs: those in progress, the bar and its dialogs. */
export function RunBulkActions({ filters, statusCounts, total, rows, selection }: Props) {
  const { changedSince: _, sort: __, ...all } = filters
  const runs = rows.filter(({ id }) => selection.ids.has(id))
  const { isAll } = selection
  const selectedCount = isAll ? (total ?? runs.length) : runs.length
  const dialog = useBulkAction(isAll ? all : { runUuids: runs.map(({ runUuid }) => runUuid) })
  const [isExporting, exporting] = useDisclosure()
  const exportSelected = () => {
    if (!isAll) dialog.propose({ kind: 'export' })
    exporting.open()
  }
  const exported = isAll ? all : { bulkAction: dialog.proposing.data?.id ?? '' }
  return (
    <>
      <BulkStrip onShow={dialog.show} />
      {selectedCount > 0 && (
        <BulkBar
          selected={isAll ? { counts: narrowed(statusCounts, filters) } : { runs }}
          selectedCount={selectedCount}
          total={total}
          isAll={isAll}
          onSelectAll={selection.selectAll}
          onClear={selection.clear}
          onExport={exportSelected}
          dialog={dialog}
        />
      )}
      <BulkDialog dialog={dialog} onStarted={selection.clear} />
      <ExportRuns
        filters={exported}
        total={selectedCount}
        what={isAll ? undefined : 'selected'}
        isOpen={isExporting && (isAll || dialog.proposing.data?.kind === 'export')}
        onClose={() => {
          dialog.close()
          exporting.close()
        }}
      />
    </>
  )
}

/** The counts under the status filter, which the list's counts leave out. */
function narrowed(counts: StatusCounts | undefined, { status }: RunFilters): StatusCounts | undefined {
  const chosen = Array.isArray(status) ? status.map(String) : []
  if (!counts || chosen.length === 0) return counts
  const narrow = Object.entries(counts).map(([name, runs]) => [name, chosen.includes(name) ? runs : 0])
  return Object.fromEntries(narrow) as StatusCounts
}
