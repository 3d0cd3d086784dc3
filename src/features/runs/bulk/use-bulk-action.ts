import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { BulkActionKind, RerunChoice } from '#contract/bulk-actions.ts'
import { type Proposal, proposeAction, startAction } from '#src/api/bulk-actions.ts'

type Step = { kind: BulkActionKind; choice?: RerunChoice; newTag?: string }

/** The open dialog of a bulk action: its kind, the proposal of the platform, and the started action. */
export function useBulkAction(selection: Omit<Proposal, 'kind'>) {
  const [step, setStep] = useState<Step | null>(null)
  const [startedId, setStartedId] = useState<string | null>(null)
  const proposing = useMutation({ mutationFn: (asked: Step) => proposeAction({ ...selection, ...asked }) })
  const starting = useMutation({ mutationFn: startAction, onSuccess: ({ id }) => setStartedId(id) })
  const propose = (asked: Step) => {
    starting.reset()
    setStep(asked)
    proposing.mutate(asked)
  }
  return {
    step,
    startedId,
    proposing,
    starting,
    propose,
    /** A tag has to be chosen first. */
    ask: (kind: BulkActionKind) => {
      proposing.reset()
      starting.reset()
      setStep({ kind })
    },
    show: setStartedId,
    close: () => {
      setStep(null)
      setStartedId(null)
    },
  }
}

export type BulkDialogState = ReturnType<typeof useBulkAction>
