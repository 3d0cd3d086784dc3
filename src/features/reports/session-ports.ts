import type { ReportWithBody } from '#contract/reports.ts'
import type { Draft } from './report-draft.ts'
import type { Fields, Stored } from './stored-report.ts'

export type SessionState = {
  fields: Fields
  /** What the fields grew from. */
  base: Stored
  /** What a write sent whose answer has not come: the platform may hold it or not. */
  sent?: Fields | undefined
  status: 'stored' | 'unsaved' | 'saving' | 'conflict' | 'failed' | 'deleted'
  failure?: Error | undefined
  /** False when the browser could keep no draft of what is not stored. */
  isDraftKept: boolean
}

export type SessionPorts = {
  save: (
    change: Partial<{ title: string; description: string; bodyMarkdown: string }> & { expectedUpdatedAt: string },
  ) => Promise<ReportWithBody>
  read: () => Promise<ReportWithBody>
  isStale: (error: unknown) => boolean
  isGone: (error: unknown) => boolean
  canRetry: (error: unknown) => boolean
  keepDraft: (draft: Draft) => boolean
  dropDraft: () => void
  /** Milliseconds without typing before what was typed is stored. */
  rest?: number
}
