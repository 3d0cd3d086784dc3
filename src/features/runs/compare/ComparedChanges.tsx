import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'

import type { ChangedFile, ChangedFileContents } from '#contract/changes.ts'
import { removalText } from '#contract/retention.ts'
import { isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { changedFileOptions, changesOptions } from '#src/api/changes.ts'
import { ChangedFiles } from '#src/features/runs/changes/ChangedFiles.tsx'
import { FileContents, type Side } from '#src/features/runs/changes/FileContents.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Section } from '#src/ui/Section.tsx'
import classes from './ComparedChanges.module.css'
import { type ComparedFile, joinChanges } from './join-changes.ts'

/** The files that either agent changed, and how the two runs left the chosen one. */
export function ComparedChanges({ left, right }: { left: RunDetail; right: RunDetail }) {
  const [one, other] = useQueries({
    queries: [left, right].map((run) => ({ ...changesOptions(run.id), enabled: isTerminal(run.status) })),
  })
  // The tree of files opens the folders that it finds first.
  if (one?.isLoading || other?.isLoading) return null
  const error = one?.error ?? other?.error
  const files = joinChanges(one?.data?.files ?? [], other?.data?.files ?? [])
  const removed = [
    { side: 'Left', text: removalText(left.removals, 'changes') },
    { side: 'Right', text: removalText(right.removals, 'changes') },
  ].filter(({ text }) => text !== undefined)
  if (!error && files.length === 0 && removed.length === 0) return null
  return (
    <Section title="Changes">
      {error && <ErrorNotice title="The changes could not be loaded" error={error} />}
      {removed.map(({ side, text }) => (
        <p key={side} role="note">{`${side}: ${text}`}</p>
      ))}
      {files.length > 0 && <Files left={left} right={right} files={files} />}
    </Section>
  )
}

type Props = { left: RunDetail; right: RunDetail; files: readonly ComparedFile[] }

function Files({ left, right, files }: Props) {
  const [asked, setAsked] = useState('')
  const shown = files.find(({ path }) => path === asked) ?? files.find(({ left, right }) => left && right) ?? files[0]
  const rows = files.map((file) => ({
    path: file.path,
    marks: [
      { of: 'Left', change: file.left?.change ?? null },
      { of: 'Right', change: file.right?.change ?? null },
    ],
    about: '',
  }))
  return (
    <div className={classes.frame}>
      <ChangedFiles
        label="Files that either agent changed"
        files={rows}
        chosen={shown?.path ?? ''}
        onChoose={setAsked}
      />
      {shown && <ComparedFileView key={shown.path} left={left} right={right} file={shown} />}
    </div>
  )
}

function ComparedFileView({ left, right, file }: { left: RunDetail; right: RunDetail; file: ComparedFile }) {
  const [one, other] = useQueries({
    queries: [
      { ...changedFileOptions(left.id, file.path), enabled: file.left !== null },
      { ...changedFileOptions(right.id, file.path), enabled: file.right !== null },
    ],
  })
  const error = one.error ?? other.error
  if (error) return <ErrorNotice title="The file could not be loaded" error={error} />
  if ((file.left && !one.data) || (file.right && !other.data)) return null
  const [ofLeft, ofRight] = [
    { file: file.left, contents: one.data },
    { file: file.right, contents: other.data },
  ]
  const [before, after] = [sideOf('Left', ofLeft, ofRight), sideOf('Right', ofRight, ofLeft)]
  return (
    <article className={classes.file} aria-label={file.path}>
      <h3 className={classes.path}>{file.path}</h3>
      <div className={classes.labels}>
        <span>{before.label}</span>
        <span>{after.label}</span>
      </div>
      <FileContents path={file.path} before={before} after={after} isUnified={false} showsAll={false} />
    </article>
  )
}

type Compared = { file: ChangedFile | null; contents: ChangedFileContents | undefined }

/** A run that did not change a file ended with the file that the other run started with. */
function sideOf(name: string, own: Compared, other: Compared): Side {
  if (own.file) {
    const { after, change } = own.file
    return { label: `${name}: ${change}`, state: after, content: own.contents?.after ?? null }
  }
  return { label: `${name}: not changed`, state: other.file?.before ?? null, content: other.contents?.before ?? null }
}
