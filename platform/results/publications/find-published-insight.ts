import { publicationToken } from '#contract/publications.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { findPublicationByToken, type NamedPublication } from './insight-store.ts'
import { hashToken } from './token.ts'

export type FrozenInsight = NamedPublication

/** Returns the publication of a token, or null if the token is unknown or malformed, or the insight was deleted. */
export const findPublishedInsight = async (
  { db }: Pick<Services, 'db'>,
  token: string,
): Promise<FrozenInsight | null> => (publicationToken.test(token) ? findPublicationByToken(db, hashToken(token)) : null)
