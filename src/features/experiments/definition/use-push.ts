import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import type { ApiError } from '#src/api/errors.ts'
import { isApiError } from '#src/api/errors.ts'
import { pushDefinition } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'

/** Pushes a text and shows the version it became; a text that names another experiment leads there. */
export function usePush(onStored: () => void) {
  const navigate = useNavigate()
  const push = useMutation({
    mutationFn: pushDefinition,
    onSuccess: async ({ experimentId, ordinal, created }) => {
      onStored()
      await navigate(paths.experiment(experimentId, 'definition'), { state: { ordinal, created } })
    },
  })
  const refused =
    push.error && push.variables !== undefined ? { text: push.variables, error: toFailure(push.error) } : null
  return { start: (text: string) => push.mutate(text), pending: push.isPending, receipt: push.data ?? null, refused }
}

const toFailure = (error: Error): Pick<ApiError, 'message' | 'requestId' | 'issues'> =>
  isApiError(error) ? error : { message: error.message, requestId: undefined, issues: [] }
