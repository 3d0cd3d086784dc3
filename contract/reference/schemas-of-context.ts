import type { z } from 'zod'

import { ContextKind } from '#contract/context-kinds.ts'
import {
  ContextCause,
  ContextRecord,
  ContextRecordList,
  ContextRecordSummary,
  ContextVersion,
  ContextVersionList,
} from '#contract/context-records.ts'
import {
  ContextSnapshot,
  ContextSuggestion,
  Evidence,
  SharedSuggestion,
  SharedSuggestionList,
  SuggestionStatus,
} from '#contract/context-suggestions.ts'

/** The shared schemas of Context. */
export const contextSchemas: Readonly<Record<string, readonly [schema: z.ZodType, description: string]>> = {
  ContextCause: [
    ContextCause,
    'How a version came about. `kept`: the oldest version of a record that is older than its history.',
  ],
  ContextKind: [ContextKind, 'The kinds of Context records.'],
  ContextRecord: [ContextRecord, 'A Context record with its fields.'],
  ContextRecordList: [ContextRecordList, 'A page of Context records.'],
  ContextRecordSummary: [ContextRecordSummary, 'A Context record without its fields.'],
  ContextSnapshot: [ContextSnapshot, 'A Context record as it is now.'],
  ContextSuggestion: [ContextSuggestion, 'A suggestion to change a Context record.'],
  ContextVersion: [ContextVersion, 'A version of a Context record without its fields.'],
  ContextVersionList: [ContextVersionList, 'A page of versions.'],
  Evidence: [Evidence, 'A link that supports a suggestion.'],
  SharedSuggestion: [SharedSuggestion, 'A suggestion as everyone in the organization sees it.'],
  SharedSuggestionList: [SharedSuggestionList, 'A page of suggestions.'],
  SuggestionStatus: [SuggestionStatus, 'The status of a suggestion. Only `pending` can change.'],
}
