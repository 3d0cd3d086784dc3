import { messageOf } from '#contract/wire/message-of.ts'
import { type PlatformConfig, readPlatformConfig } from './platform-config.ts'

/** The settings of this process. If one is invalid, the process says so and ends; the stack of the program would not help. */
export function configOrExit(environment: NodeJS.ProcessEnv): PlatformConfig {
  try {
    return readPlatformConfig(environment)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(1)
  }
}
