import type { z } from 'zod'

import type { Services } from '#platform/context/context.ts'

/** How far a long command is; `total` is absent while unknown. */
export type Progress = { done: number; total?: number | undefined; label: string }

/**
 * One thing an operator may ask for. It runs in the process that holds the data folder: in the service while that is
 * running, else in the CLI itself. `run` returns the lines to print.
 */
export type Command<Input extends z.ZodType = z.ZodType> = {
  name: string
  input: Input
  run: (services: Services, input: z.output<Input>, report: (progress: Progress) => void) => Promise<string[]>
}

/** Gives a command the types of its own input. */
export const command = <Input extends z.ZodType>(declaration: Command<Input>): Command =>
  declaration as unknown as Command
