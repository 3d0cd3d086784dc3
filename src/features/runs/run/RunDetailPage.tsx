import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { causeLabels, whyLeftOut } from '#contract/infrastructure.ts'
import { removalText } from '#contract/retention.ts'
import { isImportedRun, isTerminal } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { useMayWrite } from '#src/api/permissions.ts'
import { nameOfAxes } from '#src/format/ids.ts'
import { runOptions } from '#src/api/runs.ts'
import { ClipSourceContext } from '#src/shared/clip/clip-source.ts'
import { useRunSource } from '#src/shared/clip/use-run-source.ts'
import { ChangesView } from '#src/features/runs/changes/ChangesView.tsx'
import { GuidanceList } from '#src/features/runs/request/GuidanceList.tsx'
import classes from './RunDetailPage.module.css'
import { RunAttempts } from './RunAttempts.tsx'
import { ModelCallsView } from './ModelCallsView.tsx'
import { NetworkView } from './NetworkView.tsx'
import { RunFacts } from './RunFacts.tsx'
import { RunHeader } from './RunHeader.tsx'
import { TraceView } from '#src/features/runs/trace/TraceView.tsx'
import { RunSplit } from './RunSplit.tsx'
import { type RunView, RunViews } from './RunViews.tsx'
import { TestsPane } from './TestsPane.tsx'
import { RunLabels } from '#src/shared/labels/RunLabels.tsx'
import { TargetNotes } from '#src/shared/labels/TargetLabels.tsx'
import { saysStderr } from '#src/shared/transcript/says-stderr.ts'
import { TranscriptPane } from '#src/shared/transcript/TranscriptPane.tsx'
import panePage from '#src/ui/pane-page.module.css'

/** One run with its facts, tests and transcript. */
export function RunDetailPage({ id }: { id: string }) {
  const { data: run, dataUpdatedAt: runSeenAt } = useSuspenseQuery(runOptions(id))
  const liveness = { isLive: !isTerminal(run.status), runSeenAt }
  const source = useRunSource(run)
  const mayWrite = useMayWrite()
  const transcript = (
    <ClipSourceContext value={mayWrite ? source : null}>
      <TranscriptPane
        runId={id}
        {...liveness}
        isImported={isImportedRun(run)}
        removed={removalText(run.removals, 'transcripts')}
        stderrIsAbove={saysStderr(run)}
      />
    </ClipSourceContext>
  )
  return (
    <RunLabels run={run}>
      <div className={panePage.page}>
        <title>{`${nameOfAxes(run.variantId)} #${run.repeat} · ${run.experimentName} · Assay`}</title>
        <RunHeader run={run} />
        {run.infrastructureCause && (
          <p className={classes.reason}>
            {whyLeftOut(run.infrastructureCause)} ({causeLabels[run.infrastructureCause]}).
          </p>
        )}
        {run.statusReason && <p className={classes.reason}>{run.statusReason}</p>}
        <div className={classes.notes}>
          <TargetNotes />
        </div>
        <RunAttempts run={run} />
        <RunFacts run={run} />
        <GuidanceList guidance={run.guidance} />
        <RunViews runId={id} views={viewsOf(run, liveness, transcript)}>
          <RunSplit tests={<TestsPane run={run} {...liveness} />} transcript={transcript} />
        </RunViews>
      </div>
    </RunLabels>
  )
}

type Liveness = { isLive: boolean; runSeenAt: number }

/** The views beside tests and transcript. A run that was lost has model calls too, so each view says if it is empty. */
function viewsOf(run: RunDetail, liveness: Liveness, transcript: ReactNode): RunView[] {
  if (run.mock || isImportedRun(run)) return []
  const modelCalls = {
    id: 'model-calls',
    label: 'Model calls',
    content: <ModelCallsView run={run} {...liveness} />,
  }
  return [
    { id: 'changes', label: 'Changes', content: <ChangesView run={run} /> },
    modelCalls,
    {
      id: 'trace',
      label: 'Trace',
      content: <TraceView runId={run.id} {...liveness} transcript={transcript} />,
    },
    { id: 'network', label: 'Network', content: <NetworkView runId={run.id} {...liveness} /> },
  ]
}
