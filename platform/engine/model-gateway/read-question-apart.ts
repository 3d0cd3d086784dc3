import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { Bytes, type ContentJob } from '#platform/ground/content/content-job.ts'
import { openContent } from '#platform/ground/content/content-pool.ts'
import type { ProviderName } from '#platform/ground/models/providers.ts'
import type { Refusal, Route } from '#platform/engine/model-gateway/formats/wire-format.ts'
import { fairTurns } from './fair-turns.ts'
import { type CheckedQuestion, checkQuestion, type QuestionTerms } from './check-question.ts'
import { wireFormats } from '#platform/engine/model-gateway/formats/all-formats.ts'
import type { Upstream } from './model-access.ts'
import { CallRefusal, readQuestion } from './read-call.ts'

export type QuestionStart = { provider: ProviderName; route: Route; upstream: Upstream; terms: QuestionTerms }

type Arrived = { bytes: Buffer; organizationId: string }

/** A part of the body, or the part of the body for the provider that is wanted back. */
export type AskedPiece = { bytes: Uint8Array; isLast: boolean } | { from: number; to: number }

const QuestionAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('more') }),
  z.object({ kind: z.literal('piece'), bytes: Bytes }),
  z.object({
    kind: z.literal('allowed'),
    model: z.string(),
    bytes: z.number(),
    /** The size of the body for the provider; null if it is what the client sent. */
    sent: z.number().nullable(),
    asksUsage: z.boolean(),
    estimate: z.number(),
    mostOutput: z.number(),
    isStream: z.boolean(),
  }),
  z.object({
    kind: z.literal('refused'),
    model: z.string().nullable(),
    refusal: z.custom<Refusal>(),
    message: z.string(),
  }),
])
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

const readQuestionJob: ContentJob<QuestionStart, AskedPiece, QuestionAnswer> = {
  module: new URL('./question-work.ts', import.meta.url),
  answer: QuestionAnswer,
  /** 32 MiB of small values take half a second. */
  processorSeconds: 30,
}

/** Reading less takes no longer than sending it to a process. */
const smallBytes = 256 * 1024

/** Sending this many bytes takes a thread a millisecond. */
const pieceBytes = 512 * 1024

/** Calls of models do not wait for other work on content. */
const questionsAtOnce = fairTurns(availableParallelism())

/**
 * Reads and checks a question. A content process reads a long one, because an agent can send 32 MiB of small values. Calls
 * `onModel` with the model that it names. Throws the refusal of a question that may not pass.
 */
export async function readQuestionApart(
  start: QuestionStart,
  { bytes, organizationId }: Arrived,
  onModel: (model: string) => void,
): Promise<CheckedQuestion> {
  if (bytes.byteLength > smallBytes) return questionsAtOnce(organizationId, () => readLong(start, bytes, onModel))
  const question = readQuestion(start.route, bytes)
  onModel(question.model)
  return checkQuestion(start.terms, { ...start, format: wireFormats[start.provider], question })
}

async function readLong(start: QuestionStart, bytes: Buffer, onModel: (model: string) => void) {
  const session = openContent(readQuestionJob, withoutKeys(start))
  try {
    for (const [from, to] of piecesOf(bytes.byteLength)) {
      const isLast = to >= bytes.byteLength
      const answer = await session.ask({ bytes: bytes.subarray(from, to), isLast })
      if (answer.kind === 'refused') {
        if (answer.model !== null) onModel(answer.model)
        throw new CallRefusal(answer.refusal, answer.message)
      }
      if (answer.kind !== 'allowed') continue
      onModel(answer.model)
      if (answer.sent === null) return { ...answer, sent: bytes }
      const parts: Uint8Array[] = []
      for (const [first, end] of piecesOf(answer.sent)) {
        const part = await session.ask({ from: first, to: end })
        if (part.kind === 'piece') parts.push(part.bytes)
      }
      return { ...answer, sent: Buffer.concat(parts) }
    }
    throw new Error('The question was not read to its end')
  } finally {
    session.close()
  }
}

function* piecesOf(size: number): Generator<[from: number, to: number]> {
  for (let from = 0; from < size; from += pieceBytes) yield [from, from + pieceBytes]
}

/** Nothing that reads a question needs a key. */
const withoutKeys = ({ upstream, terms, ...start }: QuestionStart): QuestionStart => ({
  ...start,
  upstream: { ...upstream, key: '' },
  terms: { ...terms, access: { ...terms.access, upstreams: {} } },
})
