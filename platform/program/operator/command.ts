import type { z } from 'zod'

import type { Services } from '#platform/ground/context/context.ts'

/** Progress of a long command, in the command's own units. `total` is absent while unknown. */
export type Progress = { done: number; total?: number | undefined; label: string }

/**
 * An operator command. It runs in the process that owns the data folder: the service if it is running, otherwise the
 * CLI itself. `run` returns the lines to print.
 */
export type Command<Input extends z.ZodType = z.ZodType> = {
  name: string
  input: Input
  /** Whether it changes analytics, which is refused beside a server that feeds its own engine. */
  writesAnalytics?: true
  run: (services: Services, input: z.output<Input>, report: (progress: Progress) => void) => Promise<string[]>
}

/** Infers the input type of a command from its schema. */
export const command = <Input extends z.ZodType>(declaration: Command<Input>): Command =>
  declaration as unknown as Command
