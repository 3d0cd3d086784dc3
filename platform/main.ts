import { compilePglite } from '#platform/database/compile-pglite.ts'

process.umask(0o077)
/** Compiling the database takes other threads as long as loading the rest of the program takes this one. */
if (!process.env['DATABASE_URL']) void compilePglite()
const { startServer } = await import('#platform/server/start-server.ts')
await startServer()
