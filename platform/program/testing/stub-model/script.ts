import { z } from 'zod'

/**
 * What a model asks for, whichever tools its client offers. `delegate` is the prompt of another agent, `wait` is for all of
 * them, and `tool` is one of an MCP server, whose input may depend on the earlier results.
 */
export type Act =
  | { shell: string }
  | { read: string }
  | { delegate: string }
  | { wait: 'agents' }
  | { tool: string; input: (results: readonly string[]) => Record<string, unknown> }

/**
 * One answer of the stub: thoughts, a text, calls of tools (all in one answer). Before it answers, it refuses with the HTTP
 * statuses in `failures`; `cut` is an answer that breaks off.
 */
export type Step = { thinking?: string; text?: string; acts?: readonly Act[]; failures?: readonly (number | 'cut')[] }

/** A prompt and the steps that follow it. */
export type Scene = { prompt: string; steps: readonly Step[] }

/** The last answer of the scene `plain`, and of requests that belong to no scene. */
export const lastWords = 'hello.txt holds hello; no-such-file.txt does not exist.'

/** A shell command that succeeds, one that fails, and the last words. */
export const plain: Scene = {
  prompt: 'Write hello.txt, then look at no-such-file.txt.',
  steps: [
    {
      thinking: 'First the file, then a look at one that is not there.',
      acts: [{ shell: 'echo hello > hello.txt; cat hello.txt' }],
    },
    { thinking: 'Now the missing one.', acts: [{ shell: 'cat no-such-file.txt' }] },
    { text: lastWords },
  ],
}

/** A request in any API: the tools that it offers, and what the model was told, oldest first. */
export type Conversation = { tools: readonly string[]; told: readonly Told[] }
export type Told = { prompt: string } | { result: string }

/** An answer in the script. `prompt` is null for requests of the client's own, such as the title of a session. */
export type Answer = { prompt: string | null; key: string; step: Step; results: readonly string[] }

/**
 * The last prompt of a scene decides the scene, and the results since then decide the step. Requests without tools get
 * the last words.
 */
export function findAnswer(scenes: readonly Scene[], { tools, told }: Conversation): Answer {
  const own = { prompt: null, key: '', step: { text: lastWords }, results: [] }
  if (tools.length === 0) return own
  const sceneOf = (entry: Told) =>
    'prompt' in entry ? scenes.find(({ prompt }) => entry.prompt.includes(prompt)) : undefined
  const at = told.findLastIndex((entry) => sceneOf(entry) !== undefined)
  const begun = told[at]
  const scene = begun && sceneOf(begun)
  if (!scene) return own
  const results = told.slice(at).flatMap((entry) => ('result' in entry ? [entry.result] : []))
  let left = results.length
  const index = scene.steps.findIndex(({ acts = [] }) => {
    if (acts.length === 0 || left < acts.length) return true
    left -= acts.length
    return false
  })
  const step = scene.steps[index]
  return step ? { prompt: scene.prompt, key: `${scene.prompt}#${index}`, step, results } : own
}

/** An answer that the stub gives, with its number. */
export type Played = Pick<Answer, 'step' | 'results'> & { tokens: Tokens; id: number }

/** The tokens of an answer, as the stub reports them. `input` includes `cachedInput`, and `output` includes `reasoning`. */
export type Tokens = { input: number; cachedInput: number; output: number; reasoning: number }

/** Every answer has the same tokens, so that a client's totals can be checked by counting its requests. */
export const tokensPerAnswer: Tokens = { input: 1000, cachedInput: 200, output: 50, reasoning: 10 }

export const Named = z.object({ name: z.string().default('') })
