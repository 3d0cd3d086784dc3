import type { Publication } from '#contract/insights.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findPublication, type PublicationRow } from './insight-store.ts'
import { publicUrlOf } from './public-url.ts'

const frozen = ['heading', 'sql', 'description', 'provenance', 'experimentId', 'runId', 'includeTestAware'] as const

type Definition = Pick<PublicationRow, (typeof frozen)[number] | 'presentation'>

/**
 * Returns the public URL of an insight and whether the insight has changed since it was published; null if it is not
 * published or the key of its URL is gone.
 */
export async function describePublishedInsight(
  context: Context,
  insight: Definition & { id: string },
): Promise<Publication | null> {
  const publication = await findPublication(context.db, insight.id)
  const url = publication && publicUrlOf(context, publication)
  if (!publication || !url) return null
  const isCurrent =
    frozen.every((field) => insight[field] === publication[field]) &&
    sameJson(insight.presentation, publication.presentation)
  return { url, publishedAt: publication.publishedAt, isCurrent }
}

/** Both values come from jsonb, which orders the fields of an object. */
const sameJson = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
