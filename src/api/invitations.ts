import { queryOptions } from '@tanstack/react-query'

import { whoami } from '#contract/identity.ts'
import type { CallInput } from '#contract/endpoint.ts'
import {
  acceptInvitation,
  createInvitation,
  InvitationView,
  JoinedWithNewKey,
  listInvitations,
  revokeInvitation as endpoint,
} from '#contract/invitations.ts'
import { call, send } from './call.ts'
import { isApiError } from './errors.ts'
import { endpointOptions, refresherOf } from './query-client.ts'

export const invitationListOptions = () => endpointOptions(listInvitations, {})

const thenRefresh = refresherOf(['invitations'])

export const invitePerson = (body: CallInput<typeof createInvitation>) => thenRefresh(call(createInvitation, body))

export const revokeInvitation = (invitationId: string) => thenRefresh(call(endpoint, { invitationId }))

/**
 * What the join page shows. The token is sent in a body, because addresses are logged. Read once: a person who comes back
 * from saving the new key would find that the link is used, instead of the key.
 */
export const invitationOptions = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      send(InvitationView, { method: 'POST', url: '/session/invitation', body: { token }, signal }),
  })

/** The person of this browser's session; null without one, or if its key no longer works. */
export const personHereOptions = (signedIn: boolean) =>
  queryOptions({
    queryKey: ['person here', signedIn],
    queryFn: async ({ signal }) => {
      if (!signedIn) return null
      return call(whoami, {}, signal).catch((error: unknown) => {
        if (isApiError(error, 'unauthenticated')) return null
        throw error
      })
    },
  })

export const joinAsNewPerson = (body: { token: string; name: string }) =>
  send(JoinedWithNewKey, { method: 'POST', url: '/session/join', body })

/** With the key of this browser's session. */
export const joinAsPersonHere = (token: string) => call(acceptInvitation, { token })
