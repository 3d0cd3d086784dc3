import { userInfo } from 'node:os'

import { sentencesOf } from '#contract/plain-messages.ts'
import type { Doer } from '#platform/context/audit-events.ts'
import type { Services } from '#platform/context/context.ts'
import { invalid, notFound } from '#platform/failures/failure.ts'
import type { Progress } from './command.ts'
import { commands } from './commands.ts'

/** Runs a command by name with input that may come from another process. Errors: `not_found`, `invalid_argument`, the command's own. */
export async function runCommand(
  services: Services,
  name: string,
  input: unknown,
  report: (progress: Progress) => void,
  by: Doer = operatorHere(),
) {
  const chosen = commands.find((command) => command.name === name)
  if (!chosen) throw notFound(`There is no command "${name}"`)
  const parsed = chosen.input.safeParse(input)
  if (!parsed.success) throw invalid(sentencesOf(parsed.error))
  return chosen.run({ ...services, by }, parsed.data, report)
}

/** By the name of the account that runs this process. */
const operatorHere = (): Doer => ({ kind: 'operator', name: accountName() })

export function accountName() {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number that has no name.
    return `uid ${process.getuid?.()}`
  }
}
