import type { Definition } from '#contract/definition.ts'
import { referencesNeededBy, secretReferencesOf, slugOfReference } from '#contract/secret-references.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { findUnusableSecrets } from './resolve-secrets.ts'

type Selection = Parameters<typeof referencesNeededBy>[1]

/**
 * Throws `failed_precondition`, with the slug of each, if real runs need secrets that do not exist or cannot be
 * decrypted.
 */
export async function requireSecrets(context: Context, definition: Definition, selection: Selection) {
  const needed = referencesNeededBy(secretReferencesOf(definition), selection)
  const slugs = needed.map((reference) => slugOfReference(reference) ?? reference)
  const { missing, unreadable } = await findUnusableSecrets(context, context.organization.id, slugs)
  const faults = [
    missing.length > 0 && `these secrets do not exist: ${missing.join(', ')}`,
    unreadable.length > 0 &&
      `these secrets cannot be decrypted with the keys of this installation: ${unreadable.join(', ')}`,
  ].filter((fault) => fault !== false)
  if (faults.length > 0) throw preconditionFailed(`Real runs cannot start: ${faults.join('; ')}`)
}
