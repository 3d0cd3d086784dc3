import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { type ApiError, isApiError } from '#src/api/errors.ts'
import { pushDefinition } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'
import { justMade } from './just-made.ts'

/**
 * Pushes a text and shows the version it made, also when it names another experiment. A text that equals a stored
 * version makes none, so nothing moves and the page says which it is.
 */
export function usePush(clearDraft: () => void) {
  const navigate = useNavigate()
  const push = useMutation({
    mutationFn: pushDefinition,
    onSuccess: async ({ experimentId, fingerprint, created }) => {
      if (!created) return
      clearDraft()
      await navigate(paths.experiment(experimentId, 'definition'), { state: justMade(fingerprint) })
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
