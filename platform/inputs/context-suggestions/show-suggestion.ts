import { inOrderOf } from '#contract/context-kinds.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { notFound } from '#platform/ground/failures/failure.ts'
import { findSuggestion, findSuggestionsToDecide, type SuggestionRow } from './store.ts'

/** For operators: the pending suggestions of an organization, oldest first, one per line. */
export async function listSuggestionsToDecide({ db }: Pick<Services, 'db'>, organizationId: string) {
  const rows = await findSuggestionsToDecide(db, organizationId)
  return rows.map(
    ({ suggestion: { id, kind, targetId, proposed }, author }) =>
      `${id}  ${kind} ${targetId}  ${Object.keys(proposed).join(', ')}  by ${author.name}`,
  )
}

/** For operators: every fact needed for a decision, with the change as a diff. Errors: `not_found`. */
export async function showSuggestion({ db }: Pick<Services, 'db'>, suggestionId: string): Promise<string[]> {
  const row = await findSuggestion(db, suggestionId)
  if (!row) throw notFound(`Suggestion ${suggestionId} not found`)
  const { suggestion, author, target } = row
  const isStale = target.revision !== suggestion.baseRevision
  return [
    `${suggestion.kind} ${suggestion.targetId}: ${suggestion.status}, by ${author.name} at ${suggestion.createdAt}`,
    `for revision ${suggestion.baseRevision}${isStale ? `; the record is now at revision ${target.revision}` : ''}`,
    `Reason: ${suggestion.reason}`,
    ...suggestion.evidence.map(({ url, description }) => `Evidence: ${url}  ${description}`.trimEnd()),
    ...diffLines(suggestion),
    ...(suggestion.decisionNote === null ? [] : [`Note: ${suggestion.decisionNote}`]),
  ]
}

const diffLines = ({ kind, base, proposed }: SuggestionRow['suggestion']) =>
  Object.keys(inOrderOf(kind, proposed)).flatMap((name) => [
    `${name}:`,
    ...marked('-', base[name] ?? ''),
    ...marked('+', proposed[name] ?? ''),
  ])

const marked = (sign: string, text: string) => (text === '' ? [] : text.split('\n').map((line) => `  ${sign} ${line}`))
