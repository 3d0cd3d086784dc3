import { wireFormats } from '#platform/engine/model-gateway/formats/all-formats.ts'
import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { checkQuestion } from './check-question.ts'
import type { AskedPiece, QuestionAnswer, QuestionStart } from './read-question-apart.ts'
import { CallRefusal, readQuestion } from './read-call.ts'

/** Reads and checks the question of a model call, in a content process. Its body arrives, and goes back, in pieces. */
export const open: OpenJob<QuestionStart, AskedPiece, QuestionAnswer> = (start) => {
  const pieces: Uint8Array[] = []
  let sent: Uint8Array = new Uint8Array()
  return (asked) => {
    if ('from' in asked) return { kind: 'piece', bytes: sent.slice(asked.from, asked.to) }
    pieces.push(asked.bytes)
    if (!asked.isLast) return { kind: 'more' }
    const bytes = Buffer.concat(pieces)
    let model: string | null = null
    try {
      const question = readQuestion(start.route, bytes)
      model = question.model
      const checked = checkQuestion(start.terms, { ...start, format: wireFormats[start.provider], question })
      sent = checked.sent
      return { kind: 'allowed', ...checked, sent: checked.sent === bytes ? null : sent.byteLength }
    } catch (error) {
      if (!(error instanceof CallRefusal)) throw error
      return { kind: 'refused', model, refusal: error.refusal, message: error.message }
    }
  }
}
