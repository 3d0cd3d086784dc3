import { NativeSelect, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'

import { changedFileOptions, changesOptions, filePatchOptions } from '#src/api/changes.ts'
import { RemovedNote } from '#src/shared/transcript/RemovedNote.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { FigureContext } from '#src/ui/FigureContext.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { FileContents } from './FileContents.tsx'
import { cutToHunk, hunkLines, hunkParam, patchHunks, readHunkParam } from './patch-hunks.ts'

type Props = { runId: string; path: string; hunk: string }

/** The changed lines of one file of a run, or of one hunk of it, for a report. */
export function ChangedFileFigure({ runId, path, hunk }: Props) {
  const isForm = use(FigureContext) === 'form'
  const changes = useQuery(changesOptions(runId))
  const contents = useQuery(changedFileOptions(runId, path))
  if (changes.data?.status === 'unavailable')
    return <RemovedNote runId={runId} kind="changes" otherwise={`This run did not change ${path}.`} />
  const error = changes.error ?? contents.error
  if (error) {
    const retry = () => void Promise.all([changes.refetch(), contents.refetch()])
    return <ErrorNotice title="The change could not be loaded" error={error} onRetry={retry} />
  }
  if (!changes.data || !contents.data) return <Skeleton height={160} />
  const file = changes.data.files.find((one) => one.path === path)
  if (!file) return <p role="note">{`This run did not change ${path}.`}</p>
  const range = readHunkParam(hunk)
  const shown = range ? cutToHunk(contents.data, range) : contents.data
  return (
    <>
      {isForm && file.change === 'changed' && <HunkChoice runId={runId} path={path} hunk={range ? hunk : ''} />}
      {shown ? (
        <FileContents
          path={path}
          before={{
            label: 'Before the agent',
            state: file.before,
            content: shown.before,
            firstLine: range?.oldStart,
          }}
          after={{ label: 'After the agent', state: file.after, content: shown.after, firstLine: range?.newStart }}
          isUnified
          showsAll={range !== null || file.change !== 'changed'}
        />
      ) : (
        <p role="note">{`${path} does not have these lines.`}</p>
      )}
    </>
  )
}

/** Chooses the whole file or one of its hunks. */
function HunkChoice({ runId, path, hunk }: Props) {
  const url = useQueryState()
  const { data, error, refetch } = useQuery(filePatchOptions(runId, path))
  if (error) return <ErrorNotice title="The hunks could not be loaded" error={error} onRetry={() => void refetch()} />
  const hunks = patchHunks(data ?? '').map(({ range, firstChange }) => ({
    value: hunkParam(range),
    label: `${hunkLines(range)}: ${firstChange}`,
  }))
  const isKnown = hunk === '' || hunks.some(({ value }) => value === hunk)
  const range = readHunkParam(hunk)
  return (
    <NativeSelect
      label="Part of the diff"
      size="xs"
      data={[
        { value: '', label: 'All changes in the file' },
        ...(range && !isKnown ? [{ value: hunk, label: hunkLines(range) }] : []),
        ...hunks,
      ]}
      value={hunk}
      onChange={(event) => url.set({ hunk: event.currentTarget.value })}
    />
  )
}
