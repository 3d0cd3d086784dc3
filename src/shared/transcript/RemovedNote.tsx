import { useQuery } from '@tanstack/react-query'

import { type RemovalKind, removalText } from '#contract/retention.ts'
import { runOptions } from '#src/api/runs.ts'

/** Why a part of a run is missing in a report: retention removed it, or another reason. */
export function RemovedNote({ runId, kind, otherwise }: { runId: string; kind: RemovalKind; otherwise: string }) {
  const { data: run } = useQuery(runOptions(runId))
  return <p role="note">{removalText(run?.removals, kind) ?? otherwise}</p>
}
