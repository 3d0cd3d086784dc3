import type { ReactNode } from 'react'

export type Question = {
  title: string
  /** What is lost, or what happens. */
  lost: ReactNode
  /** What the red button says: "Cancel runs". */
  verb: string
  onConfirm: () => void
}

let current: Question | null = null
const listeners = new Set<() => void>()

function show(question: Question | null) {
  current = question
  for (const listener of listeners) listener()
}

/** Asks before something is lost, and says what; the shell shows the question. */
export const confirm = (question: Question) => show(question)

export const confirmDialogs = {
  current: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  dismiss: () => show(null),
}
