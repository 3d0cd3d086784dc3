import type { BulkActionKind } from '#contract/bulk-actions.ts'
import { can, type Permission } from '#contract/permissions.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { denied } from '#platform/ground/failures/failure.ts'

const needed: Partial<Record<BulkActionKind, Permission>> = {
  cancel: 'cancel',
  rerun: 'submit',
  delete: 'deleteImportedRuns',
}

/** Errors: `permission_denied`. */
export function requireAllowed({ organization }: Pick<Context, 'organization'>, kind: BulkActionKind) {
  const permission = needed[kind]
  if (permission && !can(organization)[permission])
    throw denied(
      kind === 'delete'
        ? 'Only admins of the organization can delete imported runs'
        : 'Your role does not allow this action',
    )
}
