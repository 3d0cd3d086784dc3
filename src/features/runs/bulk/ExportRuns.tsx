import { Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { ExportFormat, exportRuns } from '#contract/run-export.ts'
import { download, type DownloadProgress } from '#src/api/download.ts'
import type { RunFilters } from '#src/api/runs.ts'
import { bytes as size, count, counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { saveBlob } from '#src/ui/save-blob.ts'
import { Dialog } from '#src/ui/Dialog.tsx'

type Props = {
  filters: RunFilters
  total: number | undefined
  /** What the runs have in common, if not the filters. */
  what?: 'selected' | undefined
  isOpen: boolean
  onClose: () => void
}

const formatNames: Record<ExportFormat, string> = { csv: 'CSV', ndjson: 'NDJSON', parquet: 'Parquet' }

/** Exports every run that matches the filters. Closing the dialog cancels a running export. */
export function ExportRuns({ filters, total, what, isOpen, onClose }: Props) {
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [progress, setProgress] = useState<DownloadProgress | null>(null)
  const [running, setRunning] = useState<AbortController | null>(null)
  const exporting = useMutation({
    mutationFn: async (signal: AbortSignal) => {
      const { changedSince: _, ...all } = filters
      const file = await download(exportRuns, { ...all, format }, { signal, onProgress: setProgress })
      saveBlob(`runs.${format}`, file)
    },
    onSettled: () => {
      setRunning(null)
      setProgress(null)
    },
  })
  const start = () => {
    const controller = new AbortController()
    setRunning(controller)
    exporting.mutate(controller.signal, { onSuccess: onClose })
  }
  const cancel = () => {
    running?.abort()
    exporting.reset()
  }
  const close = () => {
    cancel()
    onClose()
  }
  return (
    <Dialog opened={isOpen} onClose={close} title="Export runs">
      <Stack gap="sm">
        <Text size="sm">
          {what
            ? counted(total ?? 0, 'selected run')
            : total === undefined
              ? 'All runs that match the filters'
              : `All ${counted(total, 'run')} that match the filters`}
          , with every column, {what ? 'the newest first' : 'in the order of the list'}.
        </Text>
        <SegmentedControl
          aria-label="Format"
          disabled={running !== null}
          value={format}
          onChange={(chosen) => setFormat(ExportFormat.parse(chosen))}
          data={ExportFormat.options.map((value) => ({ value, label: formatNames[value] }))}
        />
        {running && <ExportProgress progress={progress} />}
        {exporting.error && !running && <ErrorNotice title="The runs could not be exported" error={exporting.error} />}
        <Group justify="flex-end" gap="xs">
          {running ? (
            <Button variant="default" onClick={cancel}>
              Cancel export
            </Button>
          ) : (
            <Button onClick={start}>Export {formatNames[format]}</Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

function ExportProgress({ progress }: { progress: DownloadProgress | null }) {
  if (!progress) return <Text size="sm">Starting…</Text>
  const { rows, total, bytes } = progress
  const said =
    rows === null ? `${size(bytes)} of ${counted(total, 'run')}` : `${count(rows)} of ${counted(total, 'run')}`
  return (
    <Stack gap={4}>
      <Progress
        value={rows === null ? 100 : (100 * rows) / Math.max(total, 1)}
        animated={rows === null}
        aria-label="Progress of the export"
      />
      <Text component="output" size="sm">
        {said}
      </Text>
    </Stack>
  )
}
