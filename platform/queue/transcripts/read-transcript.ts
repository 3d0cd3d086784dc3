import { z } from 'zod'

import { type Transcript, Turn } from '#contract/transcripts.ts'
import type { Services } from '#platform/ground/context/context.ts'
import type { SerializedFields } from '#platform/ground/routes/serialized-body.ts'
import type { runs } from '#platform/ground/database/tables/runs.ts'
import { readPageApart } from './read-page-apart.ts'
import { readSegments } from './read-segments.ts'

type TranscribedRun = Pick<
  typeof runs.$inferSelect,
  | 'id'
  | 'organizationId'
  | 'attempt'
  | 'transcriptPublished'
  | 'turnCount'
  | 'reasoningTurnCount'
  | 'skippedMalformed'
  | 'unknownLines'
>

/** `limit` is at most 10,000 turns. Returns turns with seq > `afterSeq`, and reasoning turns only on request. */
export type TranscriptQuery = { limit: number; afterSeq?: number | undefined; includeReasoning: boolean }

/** The turns as JSON, with commas between them. This process does not parse what an agent wrote. */
export type TranscriptPage = Omit<Transcript, 'turns'> & { turnTexts: Uint8Array[] }

/** A page also ends here, so that readers of long transcripts cannot fill the platform's memory. */
const bytesPerPage = 8 * 1024 * 1024

/**
 * Returns the transcript so far, oldest turn first, or null while it is unpublished (`transcriptStatus` is `unavailable`). `total` counts the turns of the requested kinds in the whole transcript. `truncated` means that more
 * turns follow: a page ends after `limit` turns or 8 MiB, and has at least one turn.
 */
export async function readTranscript(
  services: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  query: TranscriptQuery,
): Promise<TranscriptPage | null> {
  if (!run.transcriptPublished) return null
  const { limit, includeReasoning } = query
  const { turnTexts, shown, truncated, missing } = await collectTurns(services, run, query)
  return {
    turnTexts,
    include_reasoning: includeReasoning,
    limit,
    truncated,
    shown,
    total: run.turnCount - (includeReasoning ? 0 : run.reasoningTurnCount),
    skipped_malformed: run.skippedMalformed,
    ...(missing > 0 && { missing_turns: missing }),
    ...(run.unknownLines && { unknown_lines: run.unknownLines }),
  }
}

async function collectTurns(
  services: Pick<Services, 'db' | 'blobs'>,
  run: TranscribedRun,
  { limit, afterSeq = 0, includeReasoning }: TranscriptQuery,
) {
  const page = { turnTexts: [] as Uint8Array[], shown: 0, truncated: false, missing: 0 }
  let bytes = 0
  await readSegments(services, { runId: run.id, attempt: run.attempt }, afterSeq, {
    async read(segment, place) {
      let last = place.after
      await readPageApart(run.organizationId, segment, place, {
        requestFor: (piece) => ({
          piece,
          room: { turns: limit - page.shown, bytes: bytesPerPage - bytes, isEmpty: page.shown === 0 },
          includeReasoning,
        }),
        add(found) {
          if (found.turns > 0) page.turnTexts.push(...(page.shown > 0 ? [comma] : []), found.json)
          page.shown += found.turns
          page.missing += found.missing
          page.truncated = found.isFull
          bytes += found.bytes
          last = Math.max(last, found.lastSeq)
        },
      })
      return page.truncated ? null : last
    },
    lose: (turns) => (page.missing += turns),
  })
  return page
}

const comma = Buffer.from(',')

/** The field `transcript` of a response. */
export function serializeTranscript({ turnTexts, ...facts }: TranscriptPage): SerializedFields {
  const rest = JSON.stringify(facts).slice(1)
  const parts = [Buffer.from('"transcript":{"turns":['), ...turnTexts, Buffer.from(`],${rest}`)]
  return { parts, read: () => ({ transcript: readPage({ turnTexts, ...facts }) }) }
}

/** Parses a page. Only for one that is known to be small, because that blocks the thread that serves all requests. */
export const readPage = ({ turnTexts, ...facts }: TranscriptPage): Transcript => ({
  ...facts,
  turns: z.array(Turn).parse(JSON.parse(`[${Buffer.concat(turnTexts).toString()}]`)),
})
