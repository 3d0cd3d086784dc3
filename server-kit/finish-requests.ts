import type { Server, ServerResponse } from 'node:http'

/**
 * Prepares for an orderly stop; call it before the server listens. The returned function stops listening and resolves when
 * every request in progress has its response, or after `limitMs`.
 */
export function finishRequests(server: Server) {
  const inProgress = new Set<ServerResponse>()
  let isStopping = false
  let whenIdle = () => {}

  /** The client then opens its next connection to another server. */
  const askToClose = (response: ServerResponse) => {
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
