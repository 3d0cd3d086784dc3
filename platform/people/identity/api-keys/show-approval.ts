import { findCallerOfKey } from '#platform/people/identity/caller-cache.ts'
import type { KeylessContext } from '#platform/ground/context/context.ts'

/** GET /new-key. A key that nobody approved is no failed sign-in, so it is not in the audit log. */
export async function showApproval({ db, token }: KeylessContext) {
  return { isApproved: (await findCallerOfKey(db, token)) !== null }
}
