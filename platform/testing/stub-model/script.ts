import { z } from 'zod'

/** The next step of the stub: think and call a shell tool, or answer with its last words. */
export type Step = { thinking: string; command: string } | { text: string }

/** The last answer of every conversation. */
export const lastWords = 'hello.txt holds hello; no-such-file.txt does not exist.'

const steps: readonly Step[] = [
  {
    thinking: 'First the file, then a look at one that is not there.',
    command: 'echo hello > hello.txt; cat hello.txt',
  },
  { thinking: 'Now the missing one.', command: 'cat no-such-file.txt' },
  { text: lastWords },
]

/**
 * The number of tool results decides the next step. Small requests without tools (titles, summaries) get the last
 * words.
 */
export const stepFor = (toolNames: readonly string[], toolResults: number): Step =>
  (toolNames.length === 0 ? undefined : steps[toolResults]) ?? { text: lastWords }

/** Each client names its shell tool differently. All take the command under one of these two keys. */
const shellTools: Record<string, (command: string) => Record<string, unknown>> = {
  Bash: (command) => ({ command, description: 'Run it' }),
  bash: (command) => ({ command, description: 'Run it' }),
  run_shell_command: (command) => ({ command, description: 'Run it' }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
}

/** The call of the shell tool in a request. */
export function shellCall(toolNames: readonly string[], command: string) {
  const name = toolNames.find((offered) => offered in shellTools) ?? 'shell'
  return { name, input: shellTools[name]?.(command) ?? { command } }
}

/** Every answer has the same tokens, so that a client's totals can be checked by counting its requests. */
export const tokensPerAnswer = { input: 1000, cachedInput: 200, output: 50, reasoning: 10 }

export const Named = z.object({ name: z.string().default('') })
