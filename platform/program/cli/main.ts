import { messageOf } from '#contract/wire/message-of.ts'
import { configOrExit } from '#platform/program/server/config-or-exit.ts'
import { callOperator } from './call-operator.ts'
import { operatorProgram } from './operator-program.ts'

/** `npm run -s assay -- …`: commands for operators of a platform, whether its service is running or stopped. */
process.umask(0o077)
const config = configOrExit(process.env)

const program = operatorProgram((name, input) => callOperator(config, name, input), {
  async copyStore(places) {
    const { copyStore } = await import('./copy-store.ts')
    await copyStore(places)
  },
  async restore(file) {
    const { restore } = await import('./restore.ts')
    await restore(config, file)
  },
  async runWorker(options) {
    const { runWorker } = await import('./run-worker.ts')
    await runWorker(config, options)
  },
  async runFleet(choices) {
    const { runFleet } = await import('./run-fleet.ts')
    await runFleet(config, choices)
  },
})

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
