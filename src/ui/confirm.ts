import type { ReactNode } from 'react'

export type Question = {
  title: string
  /** The consequence of the action. */
  lost: ReactNode
  /** The label of the red button, such as "Cancel runs". */
  verb: string
  onConfirm: () => void
}

let current: Question | null = null
const listeners = new Set<() => void>()

function show(question: Question | null) {
  current = question
  for (const listener of listeners) listener()
}

/** Asks for confirmation of an action and states its consequence. The shell shows the dialog. */
export const confirm = (question: Question) => show(question)

export const confirmDialogs = {
  current: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  dismiss: () => show(null),
}
