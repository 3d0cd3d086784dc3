import { z } from 'zod'

import type { Services } from '#platform/ground/context/context.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { findEvents } from './store.ts'

type Page = { organizationId?: string | undefined; before?: string | undefined; limit: number }

/**
 * The events of an organization, or all events without one, newest first; `before` is the last id of the previous page.
 */
export async function listEvents({ db }: Pick<Services, 'db'>, page: Page) {
  if (page.before !== undefined && !z.uuid().safeParse(page.before).success)
    throw invalid(`"${page.before}" is not the id of an event`)
  return findEvents(db, page)
}
