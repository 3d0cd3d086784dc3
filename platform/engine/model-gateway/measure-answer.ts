import type { AnswerPart, WireFormat } from '#platform/engine/model-gateway/formats/wire-format.ts'
import type { CallTokens } from '#platform/ground/models/cost-of.ts'

/** Where the tokens of a call come from. `estimated`: the answer was cut before the provider named all of them. */
export type TokenSource = 'provider' | 'estimated' | 'none'

/** What an answer says about itself. */
export type MeasuredAnswer = {
  model: string | null
  tokens: CallTokens
  source: TokenSource
  error: string | null
}

/** The counts of one call, so that a server that makes them up breaks nothing. */
const maxTokens = 1_000_000_000

/** About four characters of English text or code are a token. */
const charactersPerToken = 4

/** Adds up what the parts of one successful answer say. `requestBytes` is the size of the question. */
export function measureAnswer(format: WireFormat, requestBytes: number) {
  let tokens: Partial<CallTokens> = {}
  let model: string | null = null
  let error: string | null = null
  let isComplete = false
  let textLength = 0
  let unreadBytes = 0
  return {
    add(answer: unknown) {
      const part: AnswerPart = format.readAnswer(answer)
      tokens = { ...tokens, ...clamped(part.tokens) }
      model = part.model ?? model
      error = part.error ?? error
      isComplete ||= part.isEnd === true
      textLength += part.textLength ?? 0
    },
    /** The size of those parts of an answer of which at most the short fields were read. */
    addUnread(bytes: number) {
      unreadBytes = bytes
    },
    /**
     * Tokens that the provider did not name are estimated from the question and from the text that arrived. Of a call
     * that the end of its run cut, the provider may have generated `cutAtTokens`.
     */
    read(cutAtTokens = 0): MeasuredAnswer {
      const seen = Math.ceil(textLength / charactersPerToken)
      const input = tokens.input ?? Math.ceil(requestBytes / charactersPerToken)
      return {
        model,
        error,
        source: isComplete ? 'provider' : 'estimated',
        tokens: {
          input,
          output: isComplete
            ? (tokens.output ?? 0)
            : Math.max(tokens.output ?? Math.ceil(unreadBytes / charactersPerToken), seen, cutAtTokens),
          cacheRead: tokens.cacheRead ?? 0,
          cacheWrite: tokens.cacheWrite ?? 0,
          cacheWriteHour: tokens.cacheWriteHour ?? 0,
        },
      }
    },
  }
}

const clamped = (tokens: Partial<CallTokens> = {}): Partial<CallTokens> =>
  Object.fromEntries(Object.entries(tokens).map(([kind, count]) => [kind, Math.min(count, maxTokens)]))
