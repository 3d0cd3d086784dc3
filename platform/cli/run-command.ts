import { sentencesOf } from '#contract/plain-messages.ts'
import type { Services } from '#platform/context.ts'
import { invalid, notFound } from '#platform/failure.ts'
import type { Progress } from './command.ts'
import { commands } from './commands.ts'

/** Runs a command by name with input that may come from another process. Errors: `not_found`, `invalid_argument`, the command's own. */
export async function runCommand(
  services: Services,
  name: string,
  input: unknown,
  report: (progress: Progress) => void,
) {
  const chosen = commands.find((command) => command.name === name)
  if (!chosen) throw notFound(`There is no command "${name}"`)
  const parsed = chosen.input.safeParse(input)
  if (!parsed.success) throw invalid(sentencesOf(parsed.error))
  return chosen.run(services, parsed.data, report)
}
