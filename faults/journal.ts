import type { AcknowledgedCancel } from './check-runs.ts'
import type { Outcome, TitleChange, Write, WriteKind } from './check-writes.ts'

/** What the workload sent, and what became of it. */
export function openJournal(seed: number) {
  let count = 0
  const answers = new Map<string, number>()
  return {
    writes: [] as Write[],
    titles: [] as TitleChange[],
    cancels: [] as AcknowledgedCancel[],
    /** Requests whose runs may be canceled or labeled. */
    requestIds: [] as string[],
    answers,
    /** Sign-ins that were lost, and answers that no fault explains. */
    surprises: [] as string[],
    newNumber: () => (count += 1),
    /** The highest number so far. */
    lastNumber: () => count,
    newKey: (kind: WriteKind) => `${kind}-${seed}-${(count += 1)}`,
    answered(label: string) {
      answers.set(label, (answers.get(label) ?? 0) + 1)
    },
  }
}

export type Journal = ReturnType<typeof openJournal>

/** A status of 4xx says that nothing was written. Without an answer, or with a 5xx, nobody knows. */
export const outcomeOf = (status: number): Outcome =>
  status >= 200 && status < 300 ? 'acknowledged' : status >= 400 && status < 500 ? 'refused' : 'unknown'
