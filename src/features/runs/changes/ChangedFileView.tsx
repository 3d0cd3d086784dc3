import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import type { ChangedFile, FileState } from '#contract/changes.ts'
import type { RunDetail } from '#contract/runs.ts'
import { ForWriters } from '#src/shared/writers/ForWriters.tsx'
import { changedFileOptions } from '#src/api/changes.ts'
import { bytes } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './ChangesView.module.css'
import { ClipChange } from './ClipChange.tsx'
import { FileContents } from './FileContents.tsx'
import { linesText } from './lines-text.ts'

type Props = { run: RunDetail; file: ChangedFile }

/** One changed file before and after the agent. */
export function ChangedFileView({ run, file }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const { ref, width } = useElementSize()
  const { data, error, refetch } = useQuery(changedFileOptions(run.id, file.path))
  return (
    <article className={classes.file} ref={ref} aria-label={file.path}>
      <header className={classes.fileHead}>
        <h2 className={classes.path}>{file.path}</h2>
        <span className={mutedText.number}>{factsOf(file).join(' · ')}</span>
        <span className={classes.verbs}>
          {file.change === 'changed' && (
            <Button size="xs" variant="default" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
              {showsAll ? 'Collapse unchanged' : 'Show all lines'}
            </Button>
          )}
          <ForWriters>
            <ClipChange run={run} file={file} />
          </ForWriters>
        </span>
      </header>
      {error && <ErrorNotice title="The file could not be loaded" error={error} onRetry={() => void refetch()} />}
      {data && (
        <FileContents
          path={file.path}
          before={{ label: 'Before the agent', state: file.before, content: data.before }}
          after={{ label: 'After the agent', state: file.after, content: data.after }}
          isUnified={width < 900 || file.change !== 'changed'}
          showsAll={showsAll || file.change !== 'changed'}
        />
      )}
    </article>
  )
}

function factsOf(file: ChangedFile): string[] {
  const { before, after, change, isArtifact } = file
  const kept = after ?? before
  return [
    change === 'changed' && modeChange(before, after) !== '' ? modeChange(before, after) : change,
    ...(isArtifact ? ['artifact'] : []),
    ...(kept?.kind === 'link' ? ['link'] : []),
    ...(linesText(file) === '' ? [] : [linesText(file)]),
    sizesOf(before, after),
  ]
}

function modeChange(before: FileState | null, after: FileState | null) {
  if (!before || !after || before.isExecutable === after.isExecutable) return ''
  return after.isExecutable ? 'made executable' : 'no longer executable'
}

const sizesOf = (before: FileState | null, after: FileState | null) =>
  before && after && before.sizeBytes !== after.sizeBytes
    ? `${bytes(before.sizeBytes)} → ${bytes(after.sizeBytes)}`
    : bytes((after ?? before)?.sizeBytes ?? 0)
