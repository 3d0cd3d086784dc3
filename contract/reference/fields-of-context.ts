import type { FieldTexts } from './reference-text.ts'

const at = '2026-03-02T08:30:00.000000Z'

/** Fields of Context records, their versions and suggestions. */
export const contextFieldTexts: FieldTexts = {
  'ContextRecord.kind': ['The kind of the record.'],
  'ContextRecordSummary.kind': ['The kind of the record.'],
  'ContextRecord.name': ['The name of the record.', 'Assay'],
  'ContextRecordSummary.name': ['The name of the record.', 'Assay'],
  'ContextRecord.createdAt': ['When it was created.', at],
  'ContextRecordSummary.createdAt': ['When it was created.', at],
  'ContextRecord.pendingSuggestions': ['The number of suggestions that wait for a decision.', 1],
  'ContextRecordSummary.pendingSuggestions': ['The number of suggestions that wait for a decision.', 1],
  excerpt: ['The text around the first match, or the beginning of the record.', 'Dashboard for experiments'],
  changedAt: ['When it was changed last, or when the version was written.', at],
  changedBy: ['Who changed it. Absent for the operator, and where it was not kept.'],
  'ContextRecordList.records': ['The records.'],
  'ContextVersionList.versions': ['The versions, newest first.'],
  'ContextVersion.cause': ['How the version came about.'],
  changedFields: ['The fields that this version changed. Empty in the first one.', ['summary']],
  'ContextVersion.suggestion': ['The accepted suggestion that it came from.'],
  'ContextVersion.suggestion.author': ['The person who suggested it.'],
  restoredRevision: ['The revision whose fields were restored.', 2],
  'ContextVersionsGetResponse.version': ['The version.'],
  expectedRevision: ['The `revision` of the record that you read.', 3],
  'SharedSuggestion.author': ['The person who suggests the change.'],
  isOwn: ['Whether you made it.', false],
  current: ['The proposed fields as the record has them now.', { summary: 'Dashboard' }],
  decidedBy: ['Who decided it. Absent while it is pending, and for decisions of the operator.'],
  'SharedSuggestion.version': ['A number that grows with every change of the suggestion.', 1],
  'SharedSuggestion.reason': ['Why the record should change.', 'The summary is out of date.'],
  'ContextSuggestionsDecideRequest.decision': ['The decision.'],
  'ContextSuggestionsDecideRequest.note': ['A note to the author, up to 2,000 characters.', 'Good catch'],
}
