import { compilePglite } from '#platform/ground/database/compile-pglite.ts'

process.umask(0o077)
/** Other threads compile the database while this one loads the program. Both take about as long. */
if (!process.env['DATABASE_URL']) void compilePglite()
const { startServer } = await import('#platform/program/server/start-server.ts')
await startServer()
