import type { CallInput } from '#contract/endpoint.ts'
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  markSavedView,
  type SavedViewList,
  updateSavedView,
} from '#contract/saved-views.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { wholeListOptions } from './infinite-list.ts'
import { endpointKey, refresherOf } from './query-client.ts'

const viewsOf = ({ views }: SavedViewList) => views

/** Every view that the reader sees: the navigation, Home and the lists each show a part of them. */
export const savedViewListOptions = () => {
  const page = { pageSize: limits.savedViews.max }
  return wholeListOptions({
    queryKey: endpointKey(listSavedViews, page),
    readPage: (pageToken, signal) => call(listSavedViews, { ...page, pageToken }, signal),
    nextToken: ({ nextPageToken }) => nextPageToken,
    rowsOf: viewsOf,
  })
}

const thenRefresh = refresherOf(['savedViews'])

export const addSavedView = (body: CallInput<typeof createSavedView>) => thenRefresh(call(createSavedView, body))

export const changeSavedView = (input: CallInput<typeof updateSavedView>) => thenRefresh(call(updateSavedView, input))

export const setMarks = (input: CallInput<typeof markSavedView>) => thenRefresh(call(markSavedView, input))

export const removeSavedView = (viewId: string) => thenRefresh(call(deleteSavedView, { viewId }))
