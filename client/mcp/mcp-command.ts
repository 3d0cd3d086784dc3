import { connectAs } from '#client/api/connection.ts'
import { CommandError } from '#client/exit-codes.ts'
import { choice } from '#client/collect.ts'
import { readNumber } from '#client/runs/submit-request.ts'
import type { Commands } from '#client/work.ts'
import { type WritingTool, writingTools } from './tool-names.ts'

type McpOptions = { allow?: WritingTool[]; budget: string; listen?: string }

/** `assay mcp`: an MCP server for agents, over standard input and output or over HTTP. */
export function addMcpCommand({ add, run }: Commands) {
  const mcp = add('mcp', 'serve results to an agent over MCP, on standard input and output or over HTTP')
    .addOption(choice('--allow <tool>', 'a tool that writes; repeatable; default: none', writingTools))
    .option('--budget <usd>', 'the most that the model calls of all submit_runs may cost together', '0')
    .option('--listen <port>', 'serve HTTP on this port of 127.0.0.1; each agent sends an API key')
    .action((options: McpOptions) =>
      run(mcp, async (work) => {
        const budget = { leftUsd: readNumber('--budget', options.budget) }
        const permissions = { allowed: new Set(options.allow), budget }
        if (options.listen === undefined) {
          const { serveStdio } = await import('./serve-stdio.ts')
          return serveStdio(await work.api(), permissions)
        }
        const { serveHttp } = await import('./serve-http.ts')
        const connect = (key: string) => connectAs(work.io, key, work.options)
        const { url, closed } = await serveHttp({ port: readPort(options.listen), permissions, connect })
        work.note(`Serving MCP at ${url}. Agents send an API key as "Authorization: Bearer <API_KEY>"`)
        await closed
      }),
    )
}

function readPort(text: string) {
  const port = readNumber('--listen', text)
  if (Number.isInteger(port) && port <= 65_535) return port
  throw new CommandError('--listen takes the number of a port')
}
