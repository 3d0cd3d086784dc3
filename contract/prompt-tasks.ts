import { z } from 'zod'

import type { Definition } from './definition.ts'

/** The prompts that say which task they are a variant of. */
export const PromptTasks = z.array(z.object({ prompt: z.string(), task: z.string() }))
export type PromptTasks = z.infer<typeof PromptTasks>

/** In the order of the definition. */
export const promptTasksOf = ({ prompts = [] }: Pick<Definition, 'prompts'>): PromptTasks =>
  prompts.flatMap(({ id, task }) => (task === undefined ? [] : [{ prompt: id, task }]))

/** Finds the task of a prompt: the one that it names, or else the prompt itself. Undefined if no prompt names one. */
export function findTaskIn(promptTasks: PromptTasks = []): (prompt: string | null) => string | undefined {
  const named = new Map(promptTasks.map(({ prompt, task }) => [prompt, task]))
  return (prompt) => (named.size === 0 ? undefined : (named.get(prompt ?? '') ?? prompt ?? ''))
}

/** How many tasks some prompts are variants of; `named` has those that name theirs. Without any, each prompt is a task. */
export function tasksAmong(prompts: ReadonlySet<string | null>, promptTasks: PromptTasks) {
  const named = promptTasks.filter(({ prompt }) => prompts.has(prompt))
  const findTask = findTaskIn(named)
  return { named, size: new Set([...prompts].map((prompt) => findTask(prompt) ?? prompt)).size }
}
