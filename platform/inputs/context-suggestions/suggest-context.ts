import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { suggestContext as endpoint } from '#contract/context-suggestions.ts'
import { requireRecord } from '#platform/inputs/context-records/require-record.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { requireWriter } from '#platform/ground/context/require-role.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'
import { listSuggestions } from './list-suggestions.ts'
import { requireEnabled } from './require-enabled.ts'
import { submitSuggestion } from './submit-suggestion.ts'
import { withdrawSuggestion } from './withdraw-suggestion.ts'

type Input = VerbInput<typeof endpoint>

const submitted = ['kind', 'targetId', 'baseRevision', 'proposed', 'reason', 'evidence', 'idempotencyKey'] as const

/**
 * POST /context/suggestions: one action of the workflow. It never changes a record and never decides a suggestion.
 * Errors: `not_found` where the feature is disabled, `invalid_argument` for a missing field of the action, and those of
 * the action.
 */
export async function suggestContext(context: Context, input: Input): Promise<ResponseOf<typeof endpoint>> {
  const { db, organization } = context
  await requireEnabled(db, organization.id)
  const { action } = input
  switch (action) {
    case 'snapshot': {
      const { kind, targetId } = requireFields(input, ['kind', 'targetId'])
      return { action, ...(await requireRecord(db, { organizationId: organization.id, kind, targetId })) }
    }
    case 'submit':
      requireWriter(context)
      return { action, ...(await submitSuggestion(context, requireFields(input, submitted))) }
    case 'list':
      return { action, ...(await listSuggestions(context, input)) }
    case 'withdraw':
      return { action, ...(await withdrawSuggestion(context, requireFields(input, ['suggestionId', 'version']))) }
  }
}

type With<Name extends keyof Input> = Input & { [Required in Name]-?: NonNullable<Input[Required]> }

const deeds = {
  snapshot: 'take a snapshot',
  submit: 'submit a suggestion',
  list: 'list suggestions',
  withdraw: 'withdraw a suggestion',
}

function requireFields<Name extends keyof Input & string>(input: Input, names: readonly Name[]): With<Name> {
  const missing = names.filter((name) => input[name] === undefined)
  if (missing.length === 0) return input as With<Name>
  throw invalidFields(missing.map((name) => ({ path: [name], message: `is required to ${deeds[input.action]}` })))
}
