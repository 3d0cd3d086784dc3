import { z } from 'zod'

import { createInvitation } from '#contract/invitations.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'
import { rotateAnyKey } from '#platform/people/identity/api-keys/rotate-api-key.ts'
import { createKey, NewKey } from '#platform/people/identity/create-key.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { listKeys } from '#platform/people/identity/list-keys.ts'
import { listMembers } from '#platform/people/identity/list-members.ts'
import { inviteAsOperator, listInvitations, revokeInvitation } from '#platform/people/invitations/manage-invitations.ts'
import { removeMember } from '#platform/people/identity/remove-member.ts'
import { revokeKey } from '#platform/people/identity/revoke-key.ts'
import { requireOrganization } from '#platform/people/identity/require-organization.ts'
import { SetMember, setMember } from '#platform/people/identity/set-member.ts'
import { command } from './command.ts'

/** A name may contain any character; a line of output may not. */
const plainText = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ')

/** Commands for organizations, members and keys. */
export const identityCommands = [
  command({
    name: 'org create',
    input: z.object({ slug: z.string(), name: z.string().optional() }),
    run: async (services, input) => [(await createOrganization(services, input)).id],
  }),
  command({
    name: 'member set',
    input: SetMember,
    run: async (services, input) => {
      await setMember(services, input)
      return [`${input.email} is now ${input.role} of ${input.org}`]
    },
  }),
  command({
    name: 'member remove',
    input: z.object({ org: z.string(), email: z.string() }),
    run: async (services, input) => {
      await removeMember(services, input)
      return [`${input.email} removed from ${input.org}`]
    },
  }),
  command({
    name: 'member list',
    input: z.object({ org: z.string() }),
    run: async (services, { org }) => {
      const members = await listMembers(services, org)
      return members.map(({ email, role, name }) => `${email}\t${role}\t${name}`)
    },
  }),
  command({
    name: 'invite create',
    input: createInvitation.body.extend({
      org: z.string(),
      expiresInDays: z.coerce
        .number()
        .int()
        .min(1)
        .max(limits.invitationDays.max)
        .default(limits.invitationDays.default),
    }),
    run: async (services, { org, ...input }) => {
      const organization = await requireOrganization(services.db, org)
      const { link, isEmailed } = await inviteAsOperator({ ...services, organization }, input)
      return [link, ...(isEmailed ? [`Assay also emailed the link to ${input.email}`] : [])]
    },
  }),
  command({
    name: 'invite list',
    input: z.object({ org: z.string() }),
    run: async (services, { org }) => {
      const organization = await requireOrganization(services.db, org)
      const { invitations } = await listInvitations({ ...services, organization })
      return invitations.map(({ id, email, role, expiresAt, invitedBy = 'the operator' }) =>
        [id, email, role, expiresAt, plainText(invitedBy)].join('\t'),
      )
    },
  }),
  command({
    name: 'invite revoke',
    input: z.object({ org: z.string(), id: z.string() }),
    run: async (services, { org, id: invitationId }) => {
      const organization = await requireOrganization(services.db, org)
      await revokeInvitation({ ...services, organization }, { invitationId })
      return [`Revoked ${invitationId}`]
    },
  }),
  command({ name: 'key create', input: NewKey, run: async (services, input) => [await createKey(services, input)] }),
  command({
    name: 'key list',
    input: z.object({ org: z.string() }),
    run: async (services, { org }) => {
      const keys = await listKeys(services, org)
      return keys.map(({ id, kind, email, createdAt, name, expiresAt, lastUsedAt }) =>
        [id, kind, email, createdAt, expiresAt ?? 'never expires', lastUsedAt ?? 'never used', plainText(name)].join(
          '\t',
        ),
      )
    },
  }),
  command({
    name: 'key rotate',
    input: z.object({
      id: z.string(),
      overlapHours: z.coerce.number().int().min(0).max(limits.overlapHours).default(24),
      expiresAt: Timestamp.optional(),
    }),
    run: async (services, input) => [await rotateAnyKey(services, input)],
  }),
  command({
    name: 'key revoke',
    input: z.object({ id: z.string() }),
    run: async (services, { id }) => {
      await revokeKey(services, id)
      return [`Revoked ${id}`]
    },
  }),
]
