import { runCommand } from '#platform/operator/run-command.ts'
import type { Progress } from '#platform/operator/command.ts'
import { buildPlatform } from '#platform/server/build-platform.ts'
import type { PlatformConfig } from '#platform/server/platform-config.ts'

/** Runs a command on a platform that is opened for it alone. */
export async function runInThisProcess(
  config: PlatformConfig,
  name: string,
  input: unknown,
  report: (progress: Progress) => void,
) {
  const platform = await buildPlatform(config)
  try {
    return await runCommand(platform.services, name, input, report)
  } finally {
    await platform.close()
  }
}
