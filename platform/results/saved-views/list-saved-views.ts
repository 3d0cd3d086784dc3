import { z } from 'zod'

import type { VerbInput } from '#contract/endpoint.ts'
import type { listSavedViews as endpoint, SavedViewList } from '#contract/saved-views.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { cutPage, readPageToken } from '#platform/ground/routes/page-token.ts'
import { findViews } from './store.ts'
import { readerOf, toSavedView } from './to-saved-view.ts'

const Position = z.tuple([z.string(), z.uuid()])

/** GET /saved-views: the caller's views and the shared ones, by name. Errors: `invalid_argument` for a foreign token. */
export async function listSavedViews(context: Context, input: VerbInput<typeof endpoint>): Promise<SavedViewList> {
  const reader = readerOf(context)
  const limit = input.pageSize ?? limits.savedViews.default
  const listKey = ['saved-views', reader.organizationId, reader.userId, input.page, input.experimentId] as const
  const after = readPageToken(input.pageToken, Position, listKey)
  const rows = await findViews(context.db, reader, input, { after, limit: limit + 1 })
  const { shown, ...next } = cutPage(rows, limit, listKey, ({ view }) => [view.name, view.id])
  return { views: shown.map((row) => toSavedView(context, row)), ...next }
}
