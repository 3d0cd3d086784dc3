import { compilePglite } from '#platform/database/compile-pglite.ts'

/** Compiling the database takes other threads as long as loading the rest of the program takes this one. */
if (!process.env['DATABASE_URL']) void compilePglite()
await import('#platform/server/start-server.ts')
