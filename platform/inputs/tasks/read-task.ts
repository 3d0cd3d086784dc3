import { z } from 'zod'

import { Definition } from '#contract/definition.ts'

/** The tar of a task folder, and the id of its prompt and its environment. */
export type PackedTask = { name: string; tar: Uint8Array }

/** The parts of a definition that a task folder becomes. */
export const ReadTask = z.object({
  environment: Definition.shape.environments.unwrap().element,
  prompts: Definition.shape.prompts.unwrap(),
})
export type ReadTask = z.infer<typeof ReadTask>
