import { queryOptions } from '@tanstack/react-query'

import { toRequestParts } from '#contract/endpoint.ts'
import { type RunOrRequest, getRun } from '#contract/runs.ts'
import { type Turn, type UnknownLines } from '#contract/transcripts.ts'
import { getTurnImage } from '#contract/transcript-images.ts'
import { limits } from '#contract/wire/limit.ts'
import { call } from './call.ts'
import { currentOrganizationId } from './organization.ts'
import { pollInterval } from './polling.ts'
import { endpointKey } from './query-client.ts'

/** The loaded part of a conversation. `hasMore`: the platform has more turns. */
export type LoadedTranscript = {
  turns: readonly Turn[]
  isAvailable: boolean
  total: number
  skippedMalformed: number
  /** Lines that the format of the transcript does not know; null if there are none. */
  unknownLines: UnknownLines | null
  /** Recorded but missing from storage. */
  missing: number
  hasMore: boolean
}

type Options = {
  reasoning: boolean
  isLive: boolean
  /** When the run was last loaded. A conversation loaded earlier may lack its last turns. */
  runSeenAt: number
}

/** The address of an image of a turn for `<img>`. */
export function turnImageSource(id: string, imageId: string): string {
  const { path, query } = toRequestParts(getTurnImage, { id, imageId, orgId: currentOrganizationId() })
  return `${path}?${query}`
}

/** Beyond this the reader loads more by hand, which limits the memory a page uses. */
const autoload = { turns: 20_000, characters: 30_000_000 }

/**
 * Every fetch starts after the last known turn, so polling a long conversation loads only new turns. The first page is
 * small, to be fast; the rest loads automatically.
 */
export const transcriptOptions = (id: string, { reasoning, isLive, runSeenAt }: Options) => {
  const input = { id, transcript: true, include: reasoning ? ['reasoning'] : undefined }
  return queryOptions({
    queryKey: [...endpointKey(getRun, input), 'turns'],
    queryFn: async ({ client, queryKey, signal }): Promise<LoadedTranscript> => {
      const known = client.getQueryData<LoadedTranscript>(queryKey)
      const afterSeq = known?.turns.at(-1)?.seq
      const limit = known ? limits.transcriptTurns.default * 4 : limits.transcriptTurns.default
      const news = await call(getRun, { ...input, limit, afterSeq }, signal)
      // A run that lost its worker starts its conversation again.
      const isAnother = known !== undefined && (news.transcript?.total ?? 0) < known.turns.length
      return isAnother ? append(undefined, await call(getRun, { ...input, limit }, signal)) : append(known, news)
    },
    structuralSharing: false,
    refetchInterval: ({ state: { data, dataUpdatedAt, fetchFailureCount } }) => {
      if (!data) return false
      if (isStillLoading(data)) return 1
      return isLive || dataUpdatedAt < runSeenAt ? pollInterval(0, fetchFailureCount, (dataUpdatedAt % 97) / 97) : false
    },
  })
}

/** The most turns of an excerpt. */
const excerptTurns = 40

/** Turns from one number to another, both included. */
export const excerptOptions = (id: string, { from, to }: { from: number; to: number }) => {
  const limit = Math.min(Math.max(to - from + 1, 1), excerptTurns)
  const input = { id, transcript: true, include: ['reasoning'], limit, ...(from > 0 && { afterSeq: from - 1 }) }
  return queryOptions({
    queryKey: [...endpointKey(getRun, input), 'excerpt', to],
    queryFn: async ({ signal }) => {
      const { transcript } = await call(getRun, input, signal)
      return transcript?.turns.filter(({ seq }) => seq >= from && seq <= to) ?? []
    },
    staleTime: 60_000,
  })
}

export function append(known: LoadedTranscript | undefined, news: RunOrRequest): LoadedTranscript {
  const { transcript } = news
  const before = known?.turns ?? []
  const lastSeq = before.at(-1)?.seq ?? -1
  const added = transcript?.turns.filter(({ seq }) => seq > lastSeq) ?? []
  return {
    turns: added.length === 0 ? before : [...before, ...added],
    isAvailable: news.transcriptStatus === 'available',
    total: transcript?.total ?? 0,
    skippedMalformed: transcript?.skipped_malformed ?? 0,
    unknownLines: transcript?.unknown_lines ?? null,
    // A poll without new turns repeats the number of missing turns after the last one.
    missing: known && added.length === 0 ? known.missing : (known?.missing ?? 0) + (transcript?.missing_turns ?? 0),
    hasMore: (transcript?.truncated ?? false) && added.length > 0,
  }
}

/** Whether more turns arrive by themselves. */
export const isStillLoading = ({ hasMore, turns }: LoadedTranscript) =>
  hasMore &&
  turns.length < autoload.turns &&
  turns.reduce((sum, { text }) => sum + text.length, 0) < autoload.characters
