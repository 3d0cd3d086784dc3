import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { type ApiError, isApiError } from '#src/api/errors.ts'
import { pushDefinition } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'
import { newVersionState } from './new-version-state.ts'

/**
 * Pushes a definition and opens the new version, even if it belongs to another experiment. If the text is identical to
 * a version, none is created and the page names the existing one.
 */
export function usePush(clearDraft: () => void) {
  const navigate = useNavigate()
  const push = useMutation({
    mutationFn: pushDefinition,
    onSuccess: async ({ experimentId, fingerprint, created }) => {
      if (!created) return
      clearDraft()
      await navigate(paths.experiment(experimentId, 'definition'), { state: newVersionState(fingerprint) })
    },
  })
  const { variables: text, data: receipt, error } = push
  return {
    start: (text: string) => push.mutate(text),
    pending: push.isPending,
    equalled: text !== undefined && receipt && !receipt.created ? { text, receipt } : null,
    refused: text !== undefined && error ? { text, error: toFailure(error) } : null,
  }
}

const toFailure = (error: Error): Pick<ApiError, 'message' | 'requestId' | 'issues'> =>
  isApiError(error) ? error : { message: error.message, requestId: undefined, issues: [] }
