import { Button, Progress, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { removalText } from '#contract/retention.ts'
import { isImportedRun, isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { runOptions, type RunFilters } from '#src/api/runs.ts'
import { ChangesView } from '#src/features/runs/changes/ChangesView.tsx'
import { RunMarks } from '#src/features/runs/list/RunMarks.tsx'
import { RunResult } from '#src/features/runs/run/RunResult.tsx'
import { RunSplit } from '#src/features/runs/run/RunSplit.tsx'
import { TestsPane } from '#src/features/runs/run/TestsPane.tsx'
import { nameOfAxes } from '#src/format/ids.ts'
import { count } from '#src/format/numbers.ts'
import { RunLabels } from '#src/shared/labels/RunLabels.tsx'
import { TargetNotes } from '#src/shared/labels/TargetLabels.tsx'
import { paths } from '#src/paths.ts'
import { saysStderr } from '#src/shared/transcript/says-stderr.ts'
import { TranscriptPane } from '#src/shared/transcript/TranscriptPane.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { StatusBadge } from '#src/ui/StatusBadge.tsx'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './review.module.css'
import { TagKeys } from './TagKeys.tsx'
import type { ReviewQueue } from './use-queue.ts'
import type { TagRemoval } from './use-removed-tag.ts'

type Props = { queue: ReviewQueue; runId: string; filters: RunFilters; removal: TagRemoval }

/** The open run of a queue: its place, its labels, and what is needed to judge it. */
export function ReviewedRun({ queue, runId, filters, removal }: Props) {
  const { data: run, dataUpdatedAt, error, refetch } = useQuery(runOptions(runId))
  useShortcut('nextRun', queue.next)
  useShortcut('previousRun', queue.previous)
  useShortcut('skipRun', queue.skip)
  return (
    <>
      <QueueBar queue={queue} />
      {error && <ErrorNotice title="The run could not be loaded" error={error} onRetry={() => void refetch()} />}
      {!run && !error && <Skeleton height={240} />}
      {run && (
        <RunLabels run={run} blind>
          <RunHead run={run} />
          <TagKeys run={run} filters={filters} removal={removal} />
          <div className={classes.notes}>
            <TargetNotes />
          </div>
          <RunParts run={run} runSeenAt={dataUpdatedAt} />
        </RunLabels>
      )}
    </>
  )
}

function QueueBar({ queue }: { queue: ReviewQueue }) {
  const { number, total, reviewedCount, notedCount, isNoted, next, previous, skip } = queue
  return (
    <section className={classes.bar} aria-label="Progress">
      <output>
        Run {count(number)} of {count(total)} · {count(reviewedCount)} reviewed by you
        {notedCount > 0 && `, ${count(notedCount)} without a tag`}
        {isNoted && ' · You labeled this run but did not tag it'}
      </output>
      <Progress
        className={classes.progress}
        value={(100 * reviewedCount) / total}
        aria-label={`${count(reviewedCount)} of ${count(total)} runs reviewed`}
      />
      <span className={classes.steps}>
        <Button
          size="xs"
          variant="default"
          disabled={number === 1}
          title={number === 1 ? 'This is the first run' : undefined}
          onClick={previous}
        >
          Previous <kbd className={classes.key}>h</kbd>
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={number === total}
          title={number === total ? 'This is the last run' : undefined}
          onClick={next}
        >
          Next <kbd className={classes.key}>l</kbd>
        </Button>
        <Button size="xs" variant="default" onClick={skip}>
          Next unreviewed <kbd className={classes.key}>s</kbd>
        </Button>
      </span>
    </section>
  )
}

function RunHead({ run }: { run: RunDetail }) {
  return (
    <header className={classes.head}>
      <h2 className={classes.title}>
        <TextLink href={paths.run(run.id)}>{nameOfAxes(run.variantId)}</TextLink>{' '}
        <span className={mutedText.plain}>#{run.repeat}</span>
      </h2>
      <span className={classes.facts}>
        <RunResult run={run} />
        <StatusBadge status={run.status} />
        <span>{run.experimentName}</span>
        {/* Hides the mark of a dispute, which would reveal other people’s opinions. */}
        <RunMarks run={{ ...run, disputed: undefined }} />
      </span>
      {run.statusReason && <p className={classes.reason}>{run.statusReason}</p>}
    </header>
  )
}

function RunParts({ run, runSeenAt }: { run: RunDetail; runSeenAt: number }) {
  const [part, setPart] = useState('tests')
  const liveness = { isLive: !isTerminal(run.status), runSeenAt }
  const hasChanges = !run.mock && !isImportedRun(run)
  return (
    <>
      {hasChanges && (
        <SegmentedControl
          size="xs"
          className={classes.parts}
          aria-label="Part of the run"
          value={part}
          onChange={setPart}
          data={[
            { value: 'tests', label: 'Tests and transcript' },
            { value: 'changes', label: 'Changes' },
          ]}
        />
      )}
      {part === 'changes' && hasChanges ? (
        <div className={classes.changes}>
          <ChangesView run={run} />
        </div>
      ) : (
        <RunSplit
          tests={<TestsPane run={run} {...liveness} isAlone />}
          transcript={
            <TranscriptPane
              runId={run.id}
              {...liveness}
              isImported={isImportedRun(run)}
              removed={removalText(run.removals, 'transcripts')}
              stderrIsAbove={saysStderr(run)}
            />
          }
        />
      )}
    </>
  )
}
