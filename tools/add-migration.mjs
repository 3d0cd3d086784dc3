import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'

import { root } from './installed.mjs'

// Adds a migration for what changed in the tables, and removes the older snapshots of all tables: the generator reads
// only the newest, and git has the others.
execFileSync('drizzle-kit', ['generate', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })
const meta = new URL('../platform/ground/database/migrations/meta/', import.meta.url)
const snapshots = readdirSync(meta).filter((name) => name.endsWith('_snapshot.json'))
for (const name of snapshots.sort().slice(0, -1)) rmSync(new URL(name, meta))
