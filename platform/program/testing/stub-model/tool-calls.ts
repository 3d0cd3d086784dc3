import type { Act } from './script.ts'

/** A call of one of the client's tools. */
export type ToolCall = { name: string; input: Record<string, unknown> }

type Tools<Given> = Record<string, (given: Given) => Record<string, unknown>>

/* Each client names its tools and their arguments differently. */

const shells: Tools<string> = {
  Bash: (command) => ({ command, description: 'Run it' }),
  bash: (command) => ({ command, description: 'Run it' }),
  run_shell_command: (command) => ({ command, description: 'Run it' }),
  exec_command: (cmd) => ({ cmd }),
  run_commands: (command) => ({ commands: [command] }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
}

const readers: Tools<string> = {
  Read: (path) => ({ file_path: path }),
  read: (path) => ({ filePath: path }),
  read_file: (path) => ({ file_path: `/workspace/${path}` }),
  view_image: (path) => ({ path }),
  view: (path) => ({ path: `/workspace/${path}` }),
  read_files: (path) => ({ files: [{ path: `/workspace/${path}` }] }),
}

const description = 'Count the lines'
const delegates: Tools<string> = {
  Agent: (prompt) => ({ description, prompt, subagent_type: 'general-purpose' }),
  Task: (prompt) => ({ description, prompt, subagent_type: 'general-purpose' }),
  task: (prompt) => ({ description, prompt, subagent_type: 'general' }),
  agent: (prompt) => ({ description, prompt, subagent_type: 'general-purpose' }),
  spawn_agent: (message) => ({ message }),
  invoke_agent: (prompt) => ({ agent_name: 'generalist', prompt }),
}

const copilotTask = (prompt: string) => ({ description, prompt, name: 'counter', agent_type: 'general-purpose' })

/** The ids of Codex's agents, which `spawn_agent` returns. */
const agentIds = (results: readonly string[]) =>
  results.flatMap((result) => [...result.matchAll(/"agent_id":\s*"([^"]+)"/g)].map(([, id]) => id))

/**
 * The call with which a client does it, after the `results` of earlier calls. A client without such a tool gets a call that
 * it refuses.
 */
export function toolCall(tools: readonly string[], act: Act, results: readonly string[]): ToolCall {
  if ('wait' in act) return { name: 'wait_agent', input: { targets: agentIds(results), timeout_ms: 30_000 } }
  // Clients put the name of the server before that of its tool.
  if ('tool' in act)
    return { name: tools.find((name) => name.endsWith(act.tool)) ?? act.tool, input: act.input(results) }
  if ('shell' in act) return choose(tools, shells, act.shell, 'shell')
  // pi and opencode have tools of one name, too.
  if ('read' in act && tools.includes('read') && !tools.includes('task'))
    return { name: 'read', input: { path: act.read } }
  if ('read' in act) return choose(tools, readers, act.read, 'read_file')
  // Copilot and opencode have tools of one name.
  if (tools.includes('view') && tools.includes('task')) return { name: 'task', input: copilotTask(act.delegate) }
  // Cline and Codex, too.
  if (tools.includes('run_commands'))
    return { name: 'spawn_agent', input: { systemPrompt: description, task: act.delegate } }
  return choose(tools, delegates, act.delegate, 'Task')
}

function choose(tools: readonly string[], known: Tools<string>, given: string, otherwise: string): ToolCall {
  const name = Object.keys(known).find((tool) => tools.includes(tool)) ?? otherwise
  return { name, input: known[name]?.(given) ?? {} }
}
