// `npm run -s assay -- …`: the command line, run with the project's own Node.
import { spawn } from 'node:child_process'

import { serverFile } from './build-servers.mjs'
import { compileCache, ensureInstalled, node } from './installed.mjs'

/** `client/client.test.ts` holds that these are the client's. */
const clientCommands = new Set(
  'login logout whoami init check diff push submit runs show logs cancel results compare sql export report import open ci mcp completion'.split(
    ' ',
  ),
)

ensureInstalled()
const given = process.argv.slice(2)
const [program, ...rest] = choose(given)
const preloaded = ['resolve-once', 'tracing'].flatMap((name) => [
  '--import',
  new URL(`./${name}.mjs`, import.meta.url).href,
])
const env = { NODE_COMPILE_CACHE: compileCache, ...process.env, ASSAY_PROGRAM: 'CLI' }
const child = spawn(node, [...preloaded, await serverFile(program), ...rest], { stdio: 'inherit', env })

/**
 * The commands of `client/` call a server; the operator's work on this machine, with or without `admin` before them. The
 * BFF keeps the list of people who may sign in.
 */
function choose([first, ...others]) {
  if (clientCommands.has(first)) return ['client', first, ...others]
  const [name, ...rest] = first === 'admin' ? others : [first, ...others].filter((word) => word !== undefined)
  return name === 'person' ? ['people', ...rest] : ['assay', ...(name === undefined ? [] : [name]), ...rest]
}

// Ctrl-C in a terminal also reaches the child, but a signal sent only to this process must be passed on.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
