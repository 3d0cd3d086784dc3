import { messageOf } from '#contract/wire/message-of.ts'

/** An answer of the engine that is an error. The message is the engine's own. */
export class EngineError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'EngineError'
    this.status = status
  }
}

/** An engine may quote what an image or a registry says. */
const maxLetters = 1000

/** Returns the message of an error answer: Docker and Podman both send `message`. */
export function messageInBody(status: number, body: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed)
      return String(parsed.message).slice(0, maxLetters)
  } catch {
    // Not every proxy in front of an engine answers with JSON.
  }
  return body.trim().slice(0, 300) || `the engine answered with status ${status}`
}

const reasons: Record<string, string> = {
  ENOENT: 'nothing listens there: start Docker or Podman, or set DOCKER_HOST',
  ECONNREFUSED: 'nothing listens there: start Docker or Podman, or set DOCKER_HOST',
  EACCES: 'the service may not open this socket',
  ENOTSOCK: 'it is not a socket',
}

/** Node reports the end of a time limit as an abort where a request has a signal. */
const slowNames = new Set(['TimeoutError', 'AbortError'])

/** Says why the engine cannot be reached, or what it answered. */
export function whyEngineFailed(error: unknown, socketPath: string): string {
  if (error instanceof EngineError) return error.message
  if (error instanceof Error && slowNames.has(error.name))
    return `The container engine at ${socketPath} does not answer`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const said = reasons[code] ?? messageOf(error)
  return `The container engine at ${socketPath} cannot be reached: ${said}`
}
