import type { Role } from '#contract/identity.ts'
import {
  changeMemberRole,
  leaveOrganization,
  listMembers,
  type Member,
  type MemberList,
  removeMember,
} from '#contract/members.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { wholeListOptions } from './infinite-list.ts'
import { endpointKey, queryClient } from './query-client.ts'

const membersOf = ({ members }: MemberList) => members

export const memberListOptions = () => {
  const page = { pageSize: limits.members.max }
  return wholeListOptions({
    queryKey: endpointKey(listMembers, page),
    readPage: (pageToken, signal) => call(listMembers, { ...page, pageToken }, signal),
    nextToken: ({ nextPageToken }) => nextPageToken,
    rowsOf: membersOf,
  })
}

/** A change of the caller's own role changes what every page shows, so all of it is read again. */
const refresh = ({ isYou }: Pick<Member, 'isYou'>) =>
  queryClient.invalidateQueries(isYou ? {} : { queryKey: ['members'] })

export async function setMemberRole(member: Member, role: Role) {
  await call(changeMemberRole, { personId: member.id, role })
  await refresh(member)
}

/** Leaving, for the caller. The page must then be loaded again, because its organization is gone. */
export async function endMembership(member: Member) {
  if (member.isYou) return call(leaveOrganization, {})
  await call(removeMember, { personId: member.id })
  await refresh(member)
}
