import { useQuery } from '@tanstack/react-query'

import type { ChangedFile, RunChanges } from '#contract/changes.ts'
import { removalText } from '#contract/retention.ts'
import { isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { changesOptions } from '#src/api/changes.ts'
import { counted } from '#src/format/numbers.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { ChangedFiles } from './ChangedFiles.tsx'
import { ChangedFileView } from './ChangedFileView.tsx'
import classes from './ChangesView.module.css'
import { DownloadChanges } from './DownloadChanges.tsx'
import { linesText } from './lines-text.ts'

/** The files that the agent of a run changed, and its artifacts. The URL contains the chosen file. */
export function ChangesView({ run }: { run: RunDetail }) {
  const isEnded = isTerminal(run.status)
  const { data, error, refetch } = useQuery({ ...changesOptions(run.id), enabled: isEnded })
  return (
    <section className={classes.view} aria-label="Changes">
      {!isEnded && (
        <EmptyState title="The run has not ended" hint="What its agent changed appears here when the run ends." />
      )}
      {error && <ErrorNotice title="The changes could not be loaded" error={error} onRetry={() => void refetch()} />}
      {data && (data.files.length > 0 ? <Changes run={run} changes={data} /> : <NoChanges run={run} changes={data} />)}
    </section>
  )
}

function NoChanges({ run, changes }: { run: RunDetail; changes: RunChanges }) {
  if (changes.status === 'available') return <EmptyState title="The agent changed no file" />
  const removed = removalText(run.removals, 'changes')
  if (removed) return <EmptyState title="Changes removed" hint={removed} />
  return <EmptyState title="No changes were recorded" hint={whyUnavailable(run)} />
}

function whyUnavailable(run: RunDetail) {
  if (run.status === 'canceled') return 'The run was canceled before its agent finished.'
  return 'The run ended before its agent finished, or is from before changes were recorded.'
}

function Changes({ run, changes: { files, leftOut } }: { run: RunDetail; changes: RunChanges }) {
  const url = useQueryState()
  const asked = files.find(({ path }) => path === url.one('file'))
  const shown = asked ?? files[0]
  if (!shown) return null
  const rows = files.map((file) => ({
    path: file.path,
    marks: [{ of: '', change: file.change }],
    about: linesText(file),
  }))
  return (
    <>
      <div className={classes.head}>
        <p className={classes.summary}>{summaryOf(files)}</p>
        <DownloadChanges runId={run.id} />
      </div>
      {leftOut.length > 0 && <Notice title="Incomplete.">{leftOut.join(' ')}</Notice>}
      <div className={classes.body}>
        <ChangedFiles label="Changed files" files={rows} chosen={shown.path} onChoose={(file) => url.set({ file })} />
        <ChangedFileView key={shown.path} run={run} file={shown} />
      </div>
    </>
  )
}

/** `3 changed files: 1 added, 2 deleted; 1 artifact` or `2 files added`. */
function summaryOf(files: readonly ChangedFile[]) {
  const number = (change: ChangedFile['change']) => files.filter((file) => file.change === change).length
  const parts = (['added', 'changed', 'deleted'] as const).flatMap((change) =>
    number(change) > 0 ? [`${number(change)} ${change}`] : [],
  )
  const changed = files.length - number('unchanged')
  const artifacts = files.filter(({ isArtifact }) => isArtifact).length
  const only = (['added', 'changed', 'deleted'] as const).find((change) => number(change) === changed)
  const several = `${counted(changed, 'changed file')}: ${parts.join(', ')}`
  const said = changed === 0 ? 'No file changed' : only ? `${counted(changed, 'file')} ${only}` : several
  return artifacts > 0 ? `${said}; ${counted(artifacts, 'artifact')}` : said
}
