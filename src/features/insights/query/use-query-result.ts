import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { type QueryRequest, queryResultOptions } from '#src/api/queries.ts'

const nothing: QueryRequest = { target: { kind: 'run', runId: '' }, statement: { sql: '' } }

/** The result of the URL's query. The previous result stays visible, dimmed, while it loads. */
export function useQueryResult(request: QueryRequest | null) {
  const client = useQueryClient()
  const [execution, setExecution] = useState(0)
  const options = queryResultOptions(request ?? nothing, execution)
  const answer = useQuery({
    ...options,
    ...(request === null && { queryFn: skipToken }),
    placeholderData: (before) => (request === null ? undefined : before),
  })
  return {
    ...answer,
    isCanceled: request !== null && answer.fetchStatus === 'idle' && (answer.isPending || answer.isPlaceholderData),
    /** Runs the same query again. */
    again: () => setExecution((count) => count + 1),
    /** Discards a cached result, so that the next query runs in any case. */
    forget: (next: QueryRequest | null) =>
      client.removeQueries({ queryKey: queryResultOptions(next ?? nothing, execution).queryKey }),
    cancel: () => void client.cancelQueries({ queryKey: options.queryKey }),
  }
}
