import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { changedFileOptions, changesOptions } from '#src/api/changes.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { FileContents } from './FileContents.tsx'

/** The changed lines of one file of a run, for a report. */
export function ChangedFileFigure({ runId, path }: { runId: string; path: string }) {
  const changes = useQuery(changesOptions(runId))
  const contents = useQuery(changedFileOptions(runId, path))
  const error = changes.error ?? contents.error
  if (error) {
    const retry = () => void Promise.all([changes.refetch(), contents.refetch()])
    return <ErrorNotice title="The change could not be loaded" error={error} onRetry={retry} />
  }
  if (!changes.data || !contents.data) return <Skeleton height={160} />
  const file = changes.data.files.find((one) => one.path === path)
  if (!file) return <p role="note">{`This run did not change ${path}.`}</p>
  return (
    <FileContents
      path={path}
      before={{ label: 'Before the agent', state: file.before, content: contents.data.before }}
      after={{ label: 'After the agent', state: file.after, content: contents.data.after }}
      isUnified
      showsAll={file.change !== 'changed'}
    />
  )
}
