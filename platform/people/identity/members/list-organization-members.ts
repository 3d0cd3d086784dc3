import { type Caller, owns } from '#platform/ground/context/caller.ts'
import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type { listMembers as endpoint, Member, MemberList } from '#contract/members.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findMembers, type MemberRow } from './store.ts'

/** GET /members: every member sees who the others are, and who administers the organization. */
export async function listOrganizationMembers(
  { db, caller, organization }: Context,
  input: VerbInput<typeof endpoint>,
): Promise<MemberList> {
  const limit = input.pageSize ?? limits.members.default
  const listKey = ['members', organization.id] as const
  const [after] = readPageToken(input.pageToken, z.tuple([z.string()]), listKey) ?? []
  const rows = await findMembers(db, organization.id, { after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ email }) => [email])
  return { members: shown.map((row) => toMember(row, caller)), ...next }
}

export const toMember = (row: MemberRow, caller: Caller): Member => ({
  ...row,
  isYou: owns(caller, row.id),
})
