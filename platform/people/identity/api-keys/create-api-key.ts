import type {
  ApiKey,
  approveKey as approveEndpoint,
  createOrganizationKey as organizationEndpoint,
  createOwnKey as ownEndpoint,
  NewApiKey,
} from '#contract/api-keys.ts'
import type { VerbInput } from '#contract/endpoint.ts'
import type { KeyKind, Role } from '#contract/identity.ts'
import { limits } from '#contract/wire/limit.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { personOf } from '#platform/ground/context/caller.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import { lockNamed } from '#platform/ground/database/lock-named.ts'
import { exhausted, unauthenticated } from '#platform/ground/failures/failure.ts'
import { adoptKey, issueKey, type KeyToIssue } from '#platform/people/identity/issue-key.ts'
import { requireFuture } from './require-future.ts'
import { countActiveKeys, findApiKey, holdKey } from './store.ts'
import { toApiKey } from './to-api-key.ts'

/** POST /me/keys: a key of the caller, with access to this organization only. */
export const createOwnKey = (context: Context, input: VerbInput<typeof ownEndpoint>) =>
  create(context, { ...input, kind: 'personal', role: context.organization.role })

/** POST /keys: only admins get here, and no role is above theirs. */
export const createOrganizationKey = (context: Context, input: VerbInput<typeof organizationEndpoint>) =>
  create(context, { ...input, kind: 'organization' })

/**
 * POST /me/keys/approve: a key that a program made on the machine of the caller, who approves it. The key itself is only
 * on that machine. Errors: `already_exists` for a hash that is stored.
 */
export async function approveKey(
  context: Context,
  { hash, prefix, ...input }: VerbInput<typeof approveEndpoint>,
): Promise<ApiKey> {
  const key = { ...input, kind: 'personal' as const, role: context.organization.role }
  return (await addKey(context, key, (tx, settings) => adoptKey(tx, settings, { hash, prefix }))).apiKey
}

type KeyToCreate = { kind: KeyKind; name: string; role: Role; expiresAt?: string | undefined }

async function create(context: Context, key: KeyToCreate): Promise<NewApiKey> {
  const { stored, apiKey } = await addKey(context, key, issueKey)
  return { key: stored.key, apiKey }
}

/** Adds a key within the limits of its owner, and records it. `store` writes its row. */
async function addKey<Stored extends { id: string; prefix: string | undefined }>(
  context: Context,
  { kind, name, role, expiresAt }: KeyToCreate,
  store: (tx: Database, settings: KeyToIssue) => Promise<Stored>,
): Promise<{ stored: Stored; apiKey: ApiKey }> {
  const { caller } = context
  const organizationId = context.organization.id
  const [ofUser, most] =
    kind === 'personal' ? [personOf(caller), limits.keysPerPerson] : [undefined, limits.keysPerOrganization]
  return audited(context, async (tx, record) => {
    await requireFuture(tx, expiresAt)
    // A key that is being revoked leaves no other behind.
    if (caller.keyId !== null && !(await holdKey(tx, caller.keyId))) throw unauthenticated('This API key was revoked')
    await lockNamed(tx, 'new keys', organizationId)
    if ((await countActiveKeys(tx, { organizationId, ofUser, kind })) >= most)
      throw exhausted(`There are already ${most} active keys. Revoke one that is not used`)
    const settings = { kind, name, expiresAt, userId: caller.recordedUnder, createdWith: caller.keyId }
    const stored = await store(tx, { ...settings, grants: [{ organizationId, role }] })
    const details = { keyPrefix: stored.prefix, kind, role, name, expiresAt }
    record({ event: 'key.create', organizationId, subject: stored.id, details })
    const row = await findApiKey(tx, { organizationId }, stored.id)
    if (!row) throw new Error('The key was written but cannot be read')
    return { stored, apiKey: toApiKey(row, caller) }
  })
}
