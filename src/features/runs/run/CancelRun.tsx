import { runCan } from '#contract/run-status.ts'
import type { RunDetail } from '#contract/runs.ts'
import { CancelButton } from '#src/features/runs/request/CancelButton.tsx'

/** Finished runs have nothing to cancel, and their page does not offer it. */
export const CancelRun = ({ run }: { run: RunDetail }) =>
  runCan.cancel(run) && (
    <CancelButton requestId={run.runRequestId} runUuids={[run.runUuid]} many={1} label="Cancel" whyNot={null} />
  )
