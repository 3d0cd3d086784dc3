import { cpSync, readdirSync } from 'node:fs'

import { PGlite } from '@electric-sql/pglite'
import { create } from 'tar'

import { openDatabase } from '#platform/ground/database/open-database.ts'
import { keptTemplate } from './kept-template.ts'

/** An embedded database without tables. To make one takes as long as all migrations. */
const keepInitialized = () =>
  keptTemplate('initialized', async (folder) => {
    const client = await PGlite.create({ dataDir: folder })
    await client.close()
  })

/** Puts an embedded database without tables into a new folder. */
export const copyInitialized = async (folder: string) => copyFolder(await keepInitialized(), folder)

/** The folder of an empty, migrated database. */
export const keepState = () =>
  keptTemplate('state', async (folder) => {
    await copyInitialized(folder)
    const { close } = await openDatabase({ folder })
    await close()
  })

/** The same in the format that `loadDataDir` reads. */
export const keepPackedState = () =>
  keptTemplate('state.tar', async (file) => {
    const cwd = await keepState()
    await create({ file, cwd, portable: true }, readdirSync(cwd))
  })

/** A database has a thousand files, which take twice as long to copy one after another without blocking. */
export const copyFolder = (from: string, to: string) => cpSync(from, to, { recursive: true })
