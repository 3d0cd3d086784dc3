import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { type DemoPerson, ProviderSignInStarted, SessionState } from '#contract/session.ts'
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

/** Who was here last, so that a session that ran out does not make a member an admin. */
const personKey = 'assay.demo-person'
const nobodyOfTheDemo = 'own-key'

/** Whom embedded mode signs in by itself; nobody after signing out by hand, or where somebody came with a key of their own. */
export const personToSignIn = (people: readonly DemoPerson[]): DemoPerson['id'] | null => {
  if (localStorage.getItem(signedOutKey) !== null) return null
  const last = localStorage.getItem(personKey)
  return people.find(({ id }) => last === null || id === last)?.id ?? null
}

export async function signIn(apiKey: string) {
  await send(Written, { method: 'POST', url: '/session', body: { apiKey } })
  localStorage.setItem(personKey, nobodyOfTheDemo)
  startAnew()
}

export async function signInAsDemoPerson(person: DemoPerson['id']) {
  await send(Written, { method: 'POST', url: '/session/demo', body: { person } })
  localStorage.setItem(personKey, person)
  startAnew()
}

/** Leaves for the identity provider's page, which sends the person back to `returnPath`. */
export async function signInAtProvider(returnPath: string) {
  const { url } = await send(ProviderSignInStarted, { method: 'POST', url: '/session/provider', body: { returnPath } })
  localStorage.setItem(personKey, nobodyOfTheDemo)
  localStorage.removeItem(signedOutKey)
  window.location.assign(url)
}

/** Here, or on every device the same person is signed in on. */
export async function signOut(where: 'here' | 'everywhere') {
  await send(Written, { method: 'DELETE', url: where === 'here' ? '/session' : '/session/everywhere' })
  localStorage.setItem(signedOutKey, '1')
  forgetOrganization()
  queryClient.clear()
}

function startAnew() {
  localStorage.removeItem(signedOutKey)
  queryClient.clear()
}
