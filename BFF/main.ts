import { buildBff } from './build-bff.ts'
import { readBffConfig } from './bff-config.ts'

process.umask(0o077)

try {
  const config = readBffConfig(process.env)
  const app = await buildBff(config)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void app.close())
  }
  await app.listen({ host: config.listenHost, port: config.port })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
