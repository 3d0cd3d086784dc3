import { useParams } from 'react-router'
import type { LoaderFunctionArgs } from 'react-router'

import { isCompositeRunId } from '#contract/wire/run-id.ts'
import { queryClient } from '#src/api/query-client.ts'
import { requestOptions, runOptions } from '#src/api/runs.ts'
import { RequestPage } from '#src/features/runs/request/RequestPage.tsx'
import { RunDetailPage } from '#src/features/runs/run/RunDetailPage.tsx'

/** Runs and requests share a path, as in the API: an id with `::` is a run, any other a request. */
export async function loader({ params: { id = '' } }: LoaderFunctionArgs) {
  if (isCompositeRunId(id)) await queryClient.ensureQueryData(runOptions(id))
  else await queryClient.ensureQueryData(requestOptions(id))
  return null
}

export function Component() {
  const { id = '' } = useParams()
  return isCompositeRunId(id) ? <RunDetailPage key={id} id={id} /> : <RequestPage key={id} id={id} />
}
