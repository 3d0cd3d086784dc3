import { once } from 'node:events'

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

import type { ApiCaller } from '#client/api/api-caller.ts'
import { mcpServer } from './mcp-server.ts'
import type { Permissions } from './writing-tools.ts'

/** Serves until the agent closes its end. */
export async function serveStdio(caller: ApiCaller, permissions: Permissions) {
  const server = mcpServer(caller, permissions)
  const closed = once(process.stdin, 'end')
  await server.connect(new StdioServerTransport())
  await closed
}
