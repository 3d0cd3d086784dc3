import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { type DemoPerson, SessionState } from '#contract/session.ts'
import { send } from './call.ts'
import { forgetOrganization } from './organization.ts'
import { queryClient } from './query-client.ts'

/** Present once a person signed out by hand, so that embedded mode does not sign them straight back in. */
const signedOutKey = 'assay.signed-out'

/** Writes to /session answer the new state or nothing at all. */
const Written = z.unknown()

export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send(SessionState, { method: 'GET', url: '/session', signal }),
  staleTime: 0,
})

export const signedOutByHand = () => localStorage.getItem(signedOutKey) !== null

export async function signIn(apiKey: string) {
  await send(Written, { method: 'POST', url: '/session', body: { apiKey } })
  startAnew()
}

export async function signInAsDemoPerson(person: DemoPerson['id']) {
  await send(Written, { method: 'POST', url: '/session/demo', body: { person } })
  startAnew()
}

export async function signOut() {
  await send(Written, { method: 'DELETE', url: '/session' })
  localStorage.setItem(signedOutKey, '1')
  forgetOrganization()
  queryClient.clear()
}

function startAnew() {
  localStorage.removeItem(signedOutKey)
  queryClient.clear()
}
