import type { ContextKind } from '#contract/context-kinds.ts'
import type { ContextVersion } from '#contract/context-records.ts'
import type { SuggestionStatus } from '#contract/context-suggestions.ts'

export const kindLabels = {
  product: 'Product',
  use_case: 'Use case',
  persona: 'Persona',
  agent: 'Agent',
} as const satisfies Record<ContextKind, string>

/** `documentationUrl` → `Documentation URL`. */
export function fieldLabels(name: string) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\burl\b/, 'URL')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const statusMarks = {
  pending: { glyph: '○', label: 'Pending', tone: 'waiting' },
  accepted: { glyph: '✓', label: 'Accepted', tone: 'passed' },
  rejected: { glyph: '✕', label: 'Rejected', tone: 'failed' },
  withdrawn: { glyph: '–', label: 'Withdrawn', tone: 'skipped' },
  superseded: { glyph: '↺', label: 'Replaced', tone: 'skipped' },
} as const satisfies Record<SuggestionStatus, { glyph: string; label: string; tone: string }>

type Origin = Pick<ContextVersion, 'cause' | 'changedBy' | 'suggestion' | 'restoredRevision'>

/** Who wrote a version. */
export const writerOf = ({ cause, changedBy }: Origin) => changedBy?.name ?? (cause === 'kept' ? 'Unknown' : 'Operator')

/** How a version came about. */
export function describeCause({ cause, suggestion, restoredRevision }: Origin) {
  switch (cause) {
    case 'created':
      return 'Created'
    case 'written':
      return 'Edited'
    case 'suggestion':
      return suggestion ? `Suggestion by ${suggestion.author.name}` : 'Suggestion'
    case 'restored':
      return `Restored revision ${restoredRevision}`
    case 'kept':
      return 'Oldest recorded version'
  }
}
