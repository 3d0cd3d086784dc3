import { getOrganization, renameOrganization, renamePerson } from '#contract/names.ts'
import { call } from './call.ts'
import { endpointOptions, queryClient } from './query-client.ts'

export const organizationOptions = () => endpointOptions(getOrganization, {})

/** A name is on every page, so all of them are read again. */
export async function setOrganizationName(body: { name: string }) {
  await call(renameOrganization, body)
  await queryClient.invalidateQueries()
}

export async function setOwnName(body: { name: string }) {
  await call(renamePerson, body)
  await queryClient.invalidateQueries()
}
