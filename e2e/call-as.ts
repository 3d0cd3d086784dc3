import type { BrowserContext, Page } from '@playwright/test'

import { type CallInput, type Endpoint, type ResponseOf, toRequestParts } from '#contract/endpoint.ts'
import { writeHeader } from '#contract/session.ts'

/** The origin of the program under test, and the header that a page of ours adds to a write. */
export const appHeaders = () => ({ [writeHeader]: '1', origin: process.env.ASSAY_URL ?? '' })

/**
 * Calls an endpoint as the person who is signed in there, with the headers that the page itself would send. Returns the
 * parsed answer. A refusal is an error.
 */
export async function callAs<E extends Endpoint>(
  { request }: Pick<Page | BrowserContext, 'request'>,
  target: E,
  input: CallInput<E>,
): Promise<ResponseOf<E>> {
  const { path, query, body } = toRequestParts(target, input as Record<string, unknown>)
  const { method } = target
  const response = await request.fetch(`${path}?${query}`, { method, headers: appHeaders(), data: body })
  if (!response.ok()) throw new Error(`${method} ${path} answered ${response.status()}: ${await response.text()}`)
  return target.response.parse(response.status() === 204 ? undefined : await response.json()) as ResponseOf<E>
}

/** Signs the browser in as the person of a key. */
export async function signInWithKey({ request }: Pick<Page | BrowserContext, 'request'>, apiKey: string) {
  const response = await request.post('/session', { headers: appHeaders(), data: { apiKey } })
  if (!response.ok()) throw new Error(`Signing in with a key answered ${response.status()}`)
}
