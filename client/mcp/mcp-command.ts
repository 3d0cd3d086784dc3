import { CommandError } from '#client/exit-codes.ts'
import { collect } from '#client/collect.ts'
import { readNumber } from '#client/runs/submit-request.ts'
import type { Commands } from '#client/work.ts'
import { writingTools, isWritingTool } from './tool-names.ts'

type McpOptions = { allow?: string[]; budget: string }

/** `assay mcp`: an MCP server over standard input and output, for agents. */
export function addMcpCommand({ add, run }: Commands) {
  const mcp = add('mcp', 'serve results to an agent over MCP, on standard input and output')
    .option('--allow <tool>', `a tool that writes: ${writingTools.join(', ')}; repeatable; default: none`, collect)
    .option('--budget <usd>', 'the most that the model calls of all submit_runs may cost together', '0')
    .action((options: McpOptions) =>
      run(mcp, async (work) => {
        const unknown = (options.allow ?? []).find((name) => !isWritingTool(name))
        if (unknown !== undefined)
          throw new CommandError(`--allow has no tool ${unknown}. It has: ${writingTools.join(', ')}`)
        const { serveStdio } = await import('./serve-stdio.ts')
        const budget = { leftUsd: readNumber('--budget', options.budget) }
        await serveStdio(await work.api(), { allowed: new Set(options.allow?.filter(isWritingTool)), budget })
      }),
    )
}
