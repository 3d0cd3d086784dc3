type Response = {
  headersSent: boolean
  setHeader(name: string, value: string): unknown
  once(event: 'close', then: () => void): unknown
}

/** The part of an HTTP server that this needs; the contract also loads in browsers. */
type Server = {
  on(event: 'request', listener: (request: unknown, response: Response) => void): unknown
  close(): unknown
  closeIdleConnections(): void
}

/**
 * Prepares for an orderly stop; call it before the server listens. The returned function stops listening and resolves when
 * every request in progress has its response, or after `limitMs`.
 */
export function finishRequests(server: Server) {
  const inProgress = new Set<Response>()
  let isStopping = false
  let whenIdle = () => {}

  /** The client then opens its next connection to another server. */
  const askToClose = (response: Response) => {
    if (!response.headersSent) response.setHeader('connection', 'close')
  }
  server.on('request', (_, response) => {
    inProgress.add(response)
    if (isStopping) askToClose(response)
    response.once('close', () => {
      inProgress.delete(response)
      if (inProgress.size === 0) whenIdle()
    })
  })

  return async (limitMs: number) => {
    isStopping = true
    server.close()
    server.closeIdleConnections()
    for (const response of inProgress) askToClose(response)
    if (inProgress.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs)
      whenIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** How long a stopping server waits for its requests. The longest are queries and exports. */
export const finishRequestsMs = 10_000
