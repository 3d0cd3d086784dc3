import type { ReportWithBody } from '#contract/reports.ts'
import type { Draft } from './report-draft.ts'
import type { Fields, Stored } from './stored-report.ts'

export type SessionState = {
  fields: Fields
  /** The version that the fields are based on. */
  base: Stored
  /** The content of a save whose response is missing. The platform may or may not have it. */
  sent?: Fields | undefined
  status: 'stored' | 'unsaved' | 'saving' | 'conflict' | 'failed' | 'deleted'
  /** Why the last save failed. It stays until one succeeds, so that its notice does not come and go with every key. */
  failure?: Error | undefined
  /** False if the browser could not keep a draft of unsaved text. */
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
  /** The draft in this browser. Other tabs write it too. */
  readDraft: () => Draft | null
  dropDraft: () => void
  /** The pause in typing, in milliseconds, after which the text is saved. */
  rest?: number
}
