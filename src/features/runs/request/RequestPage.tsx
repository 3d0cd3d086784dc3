import { useSuspenseQuery } from '@tanstack/react-query'

import { requestOptions } from '#src/api/runs.ts'
import { shortId } from '#src/format/ids.ts'
import { CancelRuns } from './CancelRuns.tsx'
import { GuidanceList } from './GuidanceList.tsx'
import { RequestFacts } from './RequestFacts.tsx'
import { RequestGrid } from './RequestGrid.tsx'
import { RequestProgress } from './RequestProgress.tsx'
import { DecisionSection } from '#src/features/runs/decision/DecisionSection.tsx'
import { RunsTable } from '#src/features/runs/list/RunsTable.tsx'

/** One submission with its progress, results and runs. */
export function RequestPage({ id }: { id: string }) {
  const { data: request } = useSuspenseQuery(requestOptions(id))
  return (
    <>
      <title>{`${request.experimentName} · request ${shortId(id)} · Assay`}</title>
      <RequestFacts request={request} actions={<CancelRuns request={request} />} />
      <RequestProgress request={request} />
      {request.untilDecided && <DecisionSection requestId={id} createdAt={request.createdAt} />}
      <GuidanceList guidance={request.guidance} />
      <RequestGrid request={request} />
      <RunsTable fixed={{ runRequestId: id }} empty={{ title: 'This request has no runs' }} />
    </>
  )
}
