/**
 * What a request may use on a route that needs no key, such as a link or a payment notice. Strangers send these, so they
 * get a small share of their own.
 */
export const keylessLimits = {
  /** A name, an email address or the token of a link. */
  bodyBytes: 8 * 1024,
  /** A payment provider's notice. */
  noticeBytes: 64 * 1024,
  /** The time for a body to arrive. */
  bodyMs: 10_000,
}

/** The code of the error for a body that arrives too slowly. */
export const bodyTooLate = 'ASSAY_BODY_TOO_LATE'

/** Passes a body on as it arrives, and throws when it has not ended after `limitMs`. */
export async function* readInTime<Chunk>(body: AsyncIterator<Chunk>, limitMs: number): AsyncGenerator<Chunk> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('The body arrived too slowly'), { code: bodyTooLate, statusCode: 408 })
    timer = setTimeout(() => reject(error), limitMs)
  })
  // The body may end, or its reader may leave, before anything waits for this.
  late.catch(() => {})
  try {
    for (;;) {
      const next = await Promise.race([body.next(), late])
      if (next.done) return
      yield next.value
    }
  } finally {
    clearTimeout(timer)
  }
}
