import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import { type AuditExportFormat, exportAuditEvents } from '#contract/audit.ts'
import type { AuditFilters } from '#src/api/audit.ts'
import { download } from '#src/api/download.ts'
import { saveBlob } from '#src/ui/save-blob.ts'
import classes from './audit.module.css'

const never = new AbortController().signal

/** Downloads every event that matches the filters, not only the loaded ones. */
export const useTrailExport = (filters: AuditFilters) =>
  useMutation({
    mutationFn: async (format: AuditExportFormat) => {
      const file = await download(exportAuditEvents, { ...filters, format }, { signal: never, onProgress: () => {} })
      saveBlob(`audit-log.${format}`, file)
    },
  })

export function ExportTrail({ exporting }: { exporting: ReturnType<typeof useTrailExport> }) {
  return (
    <div className={classes.export}>
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <Button
            variant="default"
            loading={exporting.isPending}
            rightSection={<IconChevronDown size={12} aria-hidden />}
          >
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => exporting.mutate('csv')}>CSV, for spreadsheets</Menu.Item>
          <Menu.Item onClick={() => exporting.mutate('ndjson')}>NDJSON, for programs</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {exporting.error && (
        <p role="alert" className={classes.failure}>
          Not exported: {exporting.error.message}
        </p>
      )}
    </div>
  )
}
