import { createContext, use } from 'react'

import type { Actor } from '#contract/identity.ts'
import type { Paragraph } from '#contract/report-blocks/paragraphs.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { decideSuggestion, startThread } from '#contract/report-comments.ts'
import type { PlacedPerson } from './place-people.ts'
import type { PlacedThread } from './place-threads.ts'

/** The comments of the open report, for the panel and for the marks beside the text. */
export type Comments = {
  reportId: string
  /** The reader; null for an organization key, which is no person and cannot comment. */
  person: Actor | null
  isAdmin: boolean
  placed: readonly PlacedThread[]
  paragraphs: readonly Paragraph[]
  /** The others who have the report open. */
  people: readonly PlacedPerson[]
  isOpen: boolean
  open: () => void
  close: () => void
  /** The thread that is marked in the text and in the panel. */
  selected: string | null
  select: (threadId: string | null) => void
  /** The paragraph that a new comment is on. */
  commented: Paragraph | null
  comment: (paragraph: Paragraph | null) => void
  start: (thread: Omit<CallInput<typeof startThread>, 'reportId'>) => Promise<unknown>
  /** Accepts or declines the suggested text of a thread. */
  decide: (decision: Omit<CallInput<typeof decideSuggestion>, 'reportId' | 'expectedUpdatedAt'>) => Promise<unknown>
  error: Error | null
}

export const CommentsContext = createContext<Comments | null>(null)

export function useComments(): Comments {
  const comments = use(CommentsContext)
  if (!comments) throw new Error('useComments must be used inside CommentsContext')
  return comments
}
