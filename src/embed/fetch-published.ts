import { PublishedInsight } from '#contract/publications.ts'

/** `gone` is permanent; `failed` may succeed later. */
export type PublishedResponse =
  | { kind: 'shown'; insight: PublishedInsight }
  | { kind: 'gone' }
  | { kind: 'failed'; retryAfterSeconds: number | null }

/** Fetches the data of the page at `path` without cookies. */
export async function fetchPublished(path: string, signal: AbortSignal): Promise<PublishedResponse> {
  try {
    const response = await fetch(`${path.replace(/\/$/, '')}/data`, { credentials: 'omit', signal })
    if (response.status === 404) return { kind: 'gone' }
    if (response.ok) return { kind: 'shown', insight: PublishedInsight.parse(await response.json()) }
    const seconds = Number(response.headers.get('retry-after'))
    return { kind: 'failed', retryAfterSeconds: seconds > 0 ? seconds : null }
  } catch {
    return { kind: 'failed', retryAfterSeconds: null }
  }
}
