import type { Transcript } from '#contract/transcripts.ts'
import { readPage, readTranscript } from '#platform/queue/transcripts/read-transcript.ts'

/** Reads a page of a transcript with its turns. */
export async function readTestTranscript(...asked: Parameters<typeof readTranscript>): Promise<Transcript | null> {
  const page = await readTranscript(...asked)
  return page && readPage(page)
}
