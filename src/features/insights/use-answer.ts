import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type QueryRequest, queryResultOptions } from '#src/api/queries.ts'

/** The answer to what the URL asks; `again` asks the same once more. The last answer stays, dimmed, meanwhile. */
export function useAnswer(request: QueryRequest | null) {
  const [execution, setExecution] = useState(0)
  const options = queryResultOptions(
    request ?? { target: { kind: 'run', runId: '' }, statement: { sql: '' } },
    execution,
  )
  const answer = useQuery({
    ...options,
    ...(request === null && { queryFn: skipToken }),
    placeholderData: (before) => (request === null ? undefined : before),
  })
  return { ...answer, again: () => setExecution((count) => count + 1) }
}
