import { messageOf } from '#contract/wire/message-of.ts'
import { buildBff } from './build-bff.ts'
import { readBffConfig } from './bff-config.ts'
import { finishRequests, finishRequestsMs } from '#server-kit/finish-requests.ts'

process.umask(0o077)

try {
  const config = readBffConfig(process.env)
  const app = await buildBff(config)
  const finish = finishRequests(app.server)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= finish(finishRequestsMs).then(() => app.close())
  }
  process.on('SIGINT', close)
  process.on('SIGTERM', close)
  await app.listen({ host: config.listenHost, port: config.port })
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
