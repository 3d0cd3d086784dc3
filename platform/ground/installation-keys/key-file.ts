import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { parseKeys } from './parse-keys.ts'

const fileName = 'encryption-keys'

/** The keys of a data folder's key file, newest first; empty when there is no such file. */
export function readKeyFile(folder: string): Buffer[] {
  const path = join(folder, fileName)
  try {
    return parseKeys(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw new Error(`The key file ${path} is not valid`, { cause: error })
  }
}

/**
 * The keys of a data folder's key file, created with one new key if missing. Of concurrent creators one wins for all.
 */
export function openKeyFile(folder: string): Buffer[] {
  const keys = readKeyFile(folder)
  if (keys.length > 0) return keys
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `${fileName}.${randomUUID()}`)
  try {
    writeDurably(draft, `${randomBytes(32).toString('base64')}\n`)
    linkSync(draft, join(folder, fileName))
    syncFolder(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const made = readKeyFile(folder)
  if (made.length === 0) throw new Error(`The key file ${join(folder, fileName)} has no key`)
  return made
}

function writeDurably(path: string, text: string) {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function syncFolder(folder: string) {
  const directory = openSync(folder, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
