import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { type DemoPerson, ProviderSignInStarted, SessionState } from '#contract/session.ts'
import { send } from './call.ts'
import { untilConnected } from './connection.ts'
import { isApiError } from './errors.ts'
import { whoamiOptions } from './identity.ts'
import { takeDemoSecret } from './demo-secret.ts'
import { forgetOrganization } from './organization.ts'
import { queryClient } from './query-client.ts'

/** Set when a person signs out, so that embedded mode doesn't sign them straight back in. */
const signedOutKey = 'assay.signed-out'

/** Writes to /session return the new state or nothing. */
const Written = z.unknown()

export const sessionOptions = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => send(SessionState, { method: 'GET', url: '/session', signal }),
  staleTime: 0,
})

/** The last demo person, so that an expired session doesn't turn a member into an admin. */
const personKey = 'assay.demo-person'
const nobodyOfTheDemo = 'own-key'

/** The person embedded mode signs in automatically; nobody after signing out, or after signing in with a key. */
const personToSignIn = (people: readonly DemoPerson[]): DemoPerson['id'] | null => {
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

/**
 * Signs in without asking: with the existing session, or in embedded mode as the last demo person (at first the admin),
 * unless someone signed out or used a key. Returns false if the person has to sign in.
 */
export async function signInAutomatically() {
  let session = await queryClient.fetchQuery(sessionOptions)
  if (!session.signedIn && session.demoPeople.length === 0) {
    // A platform that is still starting has no demo people yet, and would refuse every key.
    await untilConnected()
    session = await queryClient.fetchQuery(sessionOptions)
  }
  if (session.signedIn && (await isAccepted())) return true
  const { demoPeople } = await openDemoLink(session)
  const person = personToSignIn(demoPeople)
  if (!person) return false
  await signInAsDemoPerson(person)
  return isAccepted()
}

/** With the address that `npm start` printed, a person asks for the demo, also after signing out. */
async function openDemoLink(session: SessionState) {
  const secret = takeDemoSecret()
  if (secret === null) return session
  localStorage.removeItem(signedOutKey)
  if (localStorage.getItem(personKey) === nobodyOfTheDemo) localStorage.removeItem(personKey)
  if (!session.demoNeedsLink) return session
  await send(Written, { method: 'POST', url: '/session/demo-link', body: { secret } }).catch((error: unknown) => {
    // The sign-in page says what to do.
    if (!isApiError(error, 'permission_denied')) throw error
  })
  return queryClient.fetchQuery(sessionOptions)
}

/**
 * Whether the session's key still works: a session can outlive it. The answer stays cached, so the next page opens without
 * asking again and keeps the fragment of its URL.
 */
export const isAccepted = () =>
  queryClient.fetchQuery(whoamiOptions()).then(
    () => true,
    () => false,
  )

/** Opens the identity provider's page, which returns to `returnPath`. A new person joins by their invitation. */
export async function signInAtProvider(returnPath: string, invitation?: { token: string; name: string }) {
  const body = { returnPath, invitation }
  const { url } = await send(ProviderSignInStarted, { method: 'POST', url: '/session/provider', body })
  localStorage.setItem(personKey, nobodyOfTheDemo)
  localStorage.removeItem(signedOutKey)
  window.location.assign(url)
}

/** Signs out here, or on every device where the person is signed in. */
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
