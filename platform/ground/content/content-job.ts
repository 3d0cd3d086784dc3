import { z } from 'zod'

/**
 * Work on what runs, imports or members wrote. It happens in a content process, never on the thread that answers requests.
 * `module` is the file whose export `open` takes a `Start` and returns what answers each request, in order.
 */
export type ContentJob<Start, Request, Answer> = {
  module: URL
  /** Checks what the process answers, which read hostile bytes. */
  answer: z.ZodType<Answer>
  /** For all requests of a session together. Processor time, so that a busy machine changes no result. */
  processorSeconds: number
  /** Never set: it carries the types. */
  takes?: (start: Start, request: Request) => void
}

/** Bytes in an answer. */
export const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

/** What the module of a job exports as `open`. */
export type OpenJob<Start, Request, Answer> = (start: Start) => (request: Request) => Answer | Promise<Answer>

/** A content process was killed for what its job needed. The message completes a sentence: "…, because ‹message›". */
export class ContentStopped extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'ContentStopped'
  }
}

/** A content process could not start, or ended for another reason than its job. Another attempt may succeed. */
export class ContentLost extends Error {
  constructor(reason: string) {
    super(`The worker lost the process that reads what the run wrote: ${reason}`)
    this.name = 'ContentLost'
  }
}

export type ContentRequest = { kind: 'open'; module: string; start: unknown } | { kind: 'ask'; request: unknown }

/** `processorMs` is what the process used since it started; `refused` has an error of the job, and its code if it has one. */
export type ContentReply = { processorMs: number; residentMb: number } & (
  | { answer: unknown }
  | { refused: string; code: string | null }
)
