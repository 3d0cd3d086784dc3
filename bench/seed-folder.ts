import { resolve } from 'node:path'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { organizations, users } from '#platform/ground/database/tables/identity.ts'
import { seedRuns } from './seed-runs.ts'

/**
 * `DATA_DIR=… node bench/seed-folder.ts 50000` adds runs to the first organization of a stopped program's data folder,
 * so that you can try the pages by hand with a long list.
 */
const folder = resolve(process.env['DATA_DIR'] ?? '')
const runCount = Number(process.argv[2] ?? 50_000)
const { db, close } = await openDatabase({ folder: resolve(folder, 'state') })
const [organization] = await db.select().from(organizations).limit(1)
const [user] = await db.select().from(users).limit(1)
if (!organization || !user) throw new Error(`${folder} has no organization: start the program on it once`)
await seedRuns(db, { organizationId: organization.id, userId: user.id }, runCount)
await close()
