import { ErrorBody } from '#contract/errors.ts'
import { PublishedInsight } from '#contract/publications.ts'

export type Published = PublishedInsight

/** The data of the page at `path`, or the sentence that says why there is none. */
export async function fetchPublished(path: string): Promise<{ insight: Published } | { refusal: string }> {
  try {
    const answer = await fetch(`${path.replace(/\/$/, '')}/data`, { credentials: 'omit' })
    const body: unknown = await answer.json()
    return answer.ok ? { insight: PublishedInsight.parse(body) } : { refusal: ErrorBody.parse(body).message }
  } catch {
    return { refusal: 'The result cannot be shown at the moment' }
  }
}
