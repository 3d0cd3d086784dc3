import { Anchor } from '@mantine/core'

import { isApiError } from '#src/api/errors.ts'
import type { SqlProblem } from '#src/editor/sql-support.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'

type Props = { error: Error; problems: readonly SqlProblem[]; onGoTo: (problem: SqlProblem) => void }

/** Why a query failed, with a link to the position. */
export function SqlErrorNotice({ error, problems, onGoTo }: Props) {
  const placed = problems.filter(({ line }) => line !== undefined)
  const isRefused = isApiError(error, 'invalid_argument')
  return (
    <ErrorNotice title={isRefused ? 'Invalid query' : 'Query failed'} error={error}>
      {placed.map((issue) => (
        <Anchor
          key={`${issue.line}:${issue.column}`}
          component="button"
          type="button"
          fz={13}
          py={2}
          onClick={() => onGoTo(issue)}
        >
          Line {issue.line}, column {issue.column}
        </Anchor>
      ))}
    </ErrorNotice>
  )
}
